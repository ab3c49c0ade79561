import { operations } from '@burgee/contract'
import { collect } from '@burgee/contract/client'
import { Project } from '@burgee/contract/schemas'
import { z } from 'zod'
import { projectPage, projectsPage } from '../api/dashboardPages.ts'
import { formatQuoted } from '../results/formatQuoted.ts'
import { tool } from '../tool.ts'
import { parameters, projectKey } from './parameters.ts'
import { ProjectView, viewProject } from './projectView.ts'

const Choice = z.object({
  availableProjects: z.array(Project.pick({ key: true, name: true }).extend({ description: z.string() })),
  message: z.string()
})

export const selectProject = tool({
  name: 'select_project',
  title: 'Select project',
  category: 'projects',
  description:
    'Without projectKey lists the projects: the person chooses, never you. With it, selects the project for this session; returns environments and SDK keys.',
  access: 'session',
  permissions: ['project:read', 'environment:read'],
  input: parameters({
    projectKey: operations.getProject.params.shape.key.optional(),
    /** Server keys are secret. */
    includeServerKeys: z.boolean().optional()
  }),
  output: z.union([ProjectView, Choice]),
  run: async ({ projectKey: key, includeServerKeys }, call) => {
    const { client, session } = call
    if (key === undefined) {
      const query = { sortBy: 'name', sortOrder: 'asc' } as const
      const projects = await collect(client.listProjects, { query })
      const availableProjects = projects.map(({ key, name, description = '' }) => ({ key, name, description }))
      const message = 'Ask the person which project to work in, then call select_project with its key.'
      return { result: { availableProjects, message }, dashboardPage: projectsPage }
    }
    const selectedProject = await viewProject(call, key, includeServerKeys)
    session.selected = selectedProject.key
    const message = session.isStateful
      ? `Project ${formatQuoted(selectedProject.key)} is selected for this session.`
      : `This connection has no session: pass projectKey ${formatQuoted(selectedProject.key)} with each call.`
    return { result: { selectedProject, message }, dashboardPage: projectPage(selectedProject.key) }
  }
})

export const getCurrentProject = tool({
  name: 'get_current_project',
  title: 'Get current project',
  category: 'projects',
  description: 'The selected project with its environments and SDK keys.',
  access: 'reads',
  permissions: ['project:read', 'environment:read'],
  input: parameters({ ...projectKey }),
  output: ProjectView,
  run: async (_, call) => {
    const selectedProject = await viewProject(call, call.project())
    const message = `Project ${formatQuoted(selectedProject.key)} is selected.`
    return { result: { selectedProject, message }, dashboardPage: projectPage(selectedProject.key) }
  }
})
