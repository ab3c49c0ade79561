import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { CreateEnvironment, Environment, GenerateSdkKeys, UpdateEnvironment } from '../schema/environment.ts'
import { Reference } from '../schema/fields.ts'
import { Pagination } from '../schema/pagination.ts'
import { commandAccess, readAccess, writeAccess } from './operationAccess.ts'

const tag = 'Environments'
const inProject = z.object({ project: Reference })
const params = z.object({ project: Reference, key: Reference })

/** A new environment. */
export const createEnvironment = defineOperation({
  ...writeAccess('environment:write', 404, 409),
  tag,
  id: 'createEnvironment',
  summary: 'Create an environment',
  description:
    'It starts with one SDK key of each type, and no feature is switched on in it. A protected environment takes the permission `feature:publish` too.',
  method: 'POST',
  path: '/v1/projects/{project}/environments',
  params: inProject,
  body: CreateEnvironment,
  status: 201,
  response: Environment
})

/** The environments of a project. */
export const listEnvironments = defineOperation({
  ...readAccess('environment:read', 404),
  tag,
  id: 'listEnvironments',
  summary: 'List the environments of a project',
  description: 'The SDK keys of protected environments are hidden from those who may not change them.',
  method: 'GET',
  path: '/v1/projects/{project}/environments',
  params: inProject,
  query: Pagination,
  status: 200,
  response: z.array(Environment),
  responseKind: 'list'
})

/** One environment. */
export const getEnvironment = defineOperation({
  ...readAccess('environment:read', 404),
  tag,
  id: 'getEnvironment',
  summary: 'Get an environment',
  description: 'The SDK keys of a protected environment are hidden from those who may not change it.',
  method: 'GET',
  path: '/v1/projects/{project}/environments/{key}',
  params,
  status: 200,
  response: Environment
})

/** Changes of an environment. */
export const updateEnvironment = defineOperation({
  ...writeAccess('environment:write', 404, 409),
  tag,
  id: 'updateEnvironment',
  summary: 'Update an environment',
  description: 'A protected environment, before or after, takes the permission `feature:publish` too.',
  method: 'PATCH',
  path: '/v1/projects/{project}/environments/{key}',
  params,
  body: UpdateEnvironment,
  status: 200,
  response: Environment
})

/** The end of an environment, with what features do in it. */
export const deleteEnvironment = defineOperation({
  ...commandAccess('environment:delete', 404, 405),
  tag,
  id: 'deleteEnvironment',
  summary: 'Delete an environment and the targets in it',
  description:
    'Its SDK keys stop working at once. The last environment of a project cannot be deleted: that answers 405. A protected environment takes the permission `feature:publish` too.',
  method: 'DELETE',
  path: '/v1/projects/{project}/environments/{key}',
  params,
  status: 200
})

/** New SDK keys. */
export const generateSdkKeys = defineOperation({
  ...writeAccess('environment:write', 404),
  tag,
  id: 'generateSdkKeys',
  summary: 'Generate SDK keys',
  description:
    'The keys that are there go on working: generate, then invalidate, to replace one. A protected environment takes the permission `feature:publish` too.',
  method: 'POST',
  path: '/v1/projects/{project}/environments/{environment}/sdk-keys',
  params: z.object({ project: Reference, environment: Reference }),
  body: GenerateSdkKeys,
  status: 201,
  response: Environment
})

/** The end of an SDK key. */
export const invalidateSdkKey = defineOperation({
  ...commandAccess('environment:write', 404, 405),
  tag,
  id: 'invalidateSdkKey',
  summary: 'Invalidate an SDK key',
  description:
    'Every SDK that uses it stops working at once. The last key of a type cannot be invalidated: that answers 405. A protected environment takes the permission `feature:publish` too.',
  method: 'DELETE',
  path: '/v1/projects/{project}/environments/{environment}/sdk-keys/{key}',
  params: z.object({
    project: Reference,
    environment: Reference,
    key: z.string().min(1).max(200).meta({ description: 'The SDK key.' })
  }),
  status: 200
})
