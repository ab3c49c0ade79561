import { operations } from '@burgee/contract'
import { paginate } from '@burgee/contract/client'
import { Project } from '@burgee/contract/schemas'
import { z } from 'zod'
import { projectPage, projectsPage } from '../api/pages.ts'
import { quoted } from '../quoted.ts'
import { tool } from '../tool.ts'
import { input, projectKey } from './input.ts'
import { ProjectView, viewProject } from './projectView.ts'

const Choice = z.object({
  availableProjects: z.array(Project.pick({ key: true, name: true }).extend({ description: z.string() })),
  message: z.string()
})

/** Which project later calls are about. */
export const selectProject = tool({
  name: 'select_project',
  title: 'Select project',
  category: 'projects',
  description:
    'Without projectKey lists the projects: let the person choose, never choose for them. With it, later calls of this session are about that project; answers its environments and SDK keys.',
  changes: 'session',
  permissions: ['project:read', 'environment:read'],
  input: input({ projectKey: operations.getProject.params.shape.key.optional() }),
  output: z.union([ProjectView, Choice]),
  run: async ({ projectKey: key }, call) => {
    const { client, session } = call
    if (key === undefined) {
      const availableProjects = []
      const query = { sortBy: 'name', sortOrder: 'asc' } as const
      for await (const { key, name, description = '' } of paginate(client.listProjects, { query })) {
        availableProjects.push({ key, name, description })
      }
      const message = 'Ask the person which project to work in, then call select_project with its key.'
      return { result: { availableProjects, message }, dashboardPage: projectsPage }
    }
    const selectedProject = await viewProject(call, key)
    session.selected = selectedProject.key
    const message = session.isKept
      ? `Project ${quoted(selectedProject.key)} is selected for this session.`
      : `This connection keeps nothing between calls: pass projectKey ${quoted(selectedProject.key)} with each call.`
    return { result: { selectedProject, message }, dashboardPage: projectPage(selectedProject.key) }
  }
})

/** The project that calls are about. */
export const getCurrentProject = tool({
  name: 'get_current_project',
  title: 'Get current project',
  category: 'projects',
  description: 'The selected project with its environments and SDK keys.',
  changes: 'nothing',
  permissions: ['project:read', 'environment:read'],
  input: input({ ...projectKey }),
  output: ProjectView,
  run: async (_, call) => {
    const selectedProject = await viewProject(call, call.project())
    const message = `Calls are about project ${quoted(selectedProject.key)}.`
    return { result: { selectedProject, message }, dashboardPage: projectPage(selectedProject.key) }
  }
})
