import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { Feature } from '../schema/feature.ts'
import { Reference } from '../schema/fields.ts'
import { Pagination } from '../schema/pagination.ts'
import {
  CreateProject,
  Project,
  UpdateProject,
  UpdateProjectSettings,
  UpdateProtectedSettings
} from '../schema/project.ts'
import { commandAccess, readAccess, writeAccess } from './operationAccess.ts'

const tag = 'Projects'
const params = z.object({ key: Reference })

/** A new project. */
export const createProject = defineOperation({
  ...writeAccess('project:write', 409),
  tag,
  id: 'createProject',
  summary: 'Create a project',
  description: 'It starts with the environments `development`, `staging` and `production`.',
  method: 'POST',
  path: '/v1/projects',
  body: CreateProject,
  status: 201,
  response: Project
})

/** The projects that the token may see. */
export const listProjects = defineOperation({
  ...readAccess('project:read'),
  tag,
  id: 'listProjects',
  summary: 'List the projects that the token may see',
  method: 'GET',
  path: '/v1/projects',
  query: Pagination,
  status: 200,
  response: z.array(Project),
  responseKind: 'list'
})

/** One project. */
export const getProject = defineOperation({
  ...readAccess('project:read', 404),
  tag,
  id: 'getProject',
  summary: 'Get a project',
  method: 'GET',
  path: '/v1/projects/{key}',
  params,
  status: 200,
  response: Project
})

/** Changes of a project. */
export const updateProject = defineOperation({
  ...writeAccess('project:write', 404, 409),
  tag,
  id: 'updateProject',
  summary: 'Update a project',
  description: 'Changing `settings` takes the permission `project:write:settings` too.',
  method: 'PATCH',
  path: '/v1/projects/{key}',
  params,
  body: UpdateProject,
  status: 200,
  response: Project
})

/** The end of a project, with everything in it. */
export const deleteProject = defineOperation({
  ...commandAccess('project:delete', 404, 405),
  tag,
  id: 'deleteProject',
  summary: 'Delete a project and everything in it',
  description:
    'Everything in it goes, but for its audit entries. The last project cannot be deleted: that answers 405.',
  method: 'DELETE',
  path: '/v1/projects/{key}',
  params,
  status: 200
})

/** Changes of a project's settings. */
export const updateProjectSettings = defineOperation({
  ...writeAccess('feature:publish', 404, 409),
  tag,
  id: 'updateProjectSettings',
  summary: 'Update the settings of a project',
  description: 'Those who publish features may do this.',
  method: 'PATCH',
  path: '/v1/projects/{key}/settings',
  params,
  body: UpdateProjectSettings,
  status: 200,
  response: Project
})

/** Changes of the settings that few may change. */
export const updateProtectedSettings = defineOperation({
  ...writeAccess('project:write:settings', 404, 409),
  tag,
  id: 'updateProtectedSettings',
  summary: 'Update the protected settings of a project',
  method: 'PATCH',
  path: '/v1/projects/{key}/settings/protected',
  params,
  body: UpdateProtectedSettings,
  status: 200,
  response: Project
})

/** The features that look as if nobody needed them as features any more. */
export const getStaleFeatures = defineOperation({
  ...readAccess('feature:read', 404),
  tag,
  id: 'getStaleFeatures',
  summary: 'List the stale features of a project',
  description:
    'As they are at this moment. None where the setting `staleness.enabled` is off. `search` looks into names, keys, tags and descriptions.',
  method: 'GET',
  path: '/v1/projects/{key}/staleness',
  params,
  query: Pagination.extend({
    includeSilenced: z
      .stringbool()
      .optional()
      .meta({ description: 'true or false: whether features that are snoozed or disabled are listed. Default: false.' })
  }),
  status: 200,
  response: z.array(Feature),
  responseKind: 'list'
})
