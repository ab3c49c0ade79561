import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { ProjectReference } from '../../schema/common/references.ts'
import { Feature } from '../../schema/features/feature.ts'
import {
  CreateProject,
  Project,
  UpdateProject,
  UpdateProjectSettings,
  UpdateProtectedSettings
} from '../../schema/projects/project.ts'
import { accessWithBody, accessWithoutBody, ifMatch, newRevision, withRevision } from '../operationAccess.ts'

const tag = 'Projects'
const params = z.object({ key: ProjectReference })

/** Create a project. */
export const createProject = defineOperation({
  ...accessWithBody('project:write', 409),
  ...withRevision,
  tag,
  id: 'createProject',
  summary: 'Create a project',
  description: 'It has the environments `development`, `staging` and `production`.',
  method: 'POST',
  path: '/v1/projects',
  body: CreateProject,
  status: 201,
  response: Project
})

/** List projects. */
export const listProjects = defineOperation({
  ...accessWithoutBody('project:read'),
  tag,
  id: 'listProjects',
  summary: 'List projects',
  description: 'The projects that the caller can read.',
  method: 'GET',
  path: '/v1/projects',
  query: Pagination,
  status: 200,
  response: z.array(Project),
  responseKind: 'list'
})

/** Get a project. */
export const getProject = defineOperation({
  ...accessWithoutBody('project:read', 404),
  ...withRevision,
  tag,
  id: 'getProject',
  summary: 'Get a project',
  method: 'GET',
  path: '/v1/projects/{key}',
  params,
  status: 200,
  response: Project
})

/** Update a project. */
export const updateProject = defineOperation({
  ...accessWithBody('project:write', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateProject',
  summary: 'Update a project',
  description: 'Changing `settings` also requires the permission `project:write:settings`.',
  method: 'PATCH',
  path: '/v1/projects/{key}',
  params,
  body: UpdateProject,
  status: 200,
  response: Project
})

/** Delete a project. */
export const deleteProject = defineOperation({
  ...accessWithoutBody('project:delete', 404, 405, 412),
  ...ifMatch,
  tag,
  id: 'deleteProject',
  summary: 'Delete a project',
  description: 'Also deletes everything in it, except audit entries. Returns 405 for the last project.',
  method: 'DELETE',
  path: '/v1/projects/{key}',
  params: z.object({ key: ProjectReference.meta({ example: 'shop' }) }),
  status: 200
})

/** Update the settings of a project. */
export const updateProjectSettings = defineOperation({
  ...accessWithBody('feature:publish', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateProjectSettings',
  summary: 'Update the settings of a project',
  description: 'The settings that publishers can change.',
  method: 'PATCH',
  path: '/v1/projects/{key}/settings',
  params,
  body: UpdateProjectSettings,
  status: 200,
  response: Project
})

/** Update the protected settings of a project. */
export const updateProtectedSettings = defineOperation({
  ...accessWithBody('project:write:settings', 404, 409, 412),
  ...newRevision,
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

/** List stale features. */
export const getStaleFeatures = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  tag,
  id: 'getStaleFeatures',
  summary: 'List stale features',
  description:
    'The features that are stale now; none if the setting `staleness.enabled` is off. `search` looks in names, keys, tags and descriptions.',
  method: 'GET',
  path: '/v1/projects/{key}/staleness',
  params,
  query: Pagination.extend({
    includeSilenced: z
      .stringbool()
      .optional()
      .meta({ description: 'Whether to include features whose staleness is snoozed or disabled. Default: false.' })
  }),
  status: 200,
  response: z.array(Feature),
  responseKind: 'list'
})
