import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { EnvironmentReference, ProjectReference } from '../../schema/common/references.ts'
import {
  CreateEnvironment,
  Environment,
  GenerateSdkKeys,
  UpdateEnvironment,
  UpdateSdkKey
} from '../../schema/projects/environment.ts'
import { DryRun } from '../dryRun.ts'
import { accessWithBody, accessWithoutBody, ifMatch, newRevision, withRevision } from '../operationAccess.ts'

const tag = 'Environments'
const inProject = z.object({ project: ProjectReference })
const params = z.object({ project: ProjectReference, key: EnvironmentReference })
/** The environment that the example of `createEnvironment` adds. */
const added = params.extend({ key: EnvironmentReference.meta({ example: 'qa' }) })
const sdkKeyParams = z.object({
  project: ProjectReference,
  environment: EnvironmentReference,
  key: z.string().min(1).max(200).meta({ description: 'The SDK key.', example: 'server-not-a-real-key' })
})

const includeSdkKeys = z.stringbool().optional().meta({ description: 'Whether to include `sdkKeys`. Default: true.' })

/** Create an environment. */
export const createEnvironment = defineOperation({
  ...accessWithBody('environment:write', 404, 409),
  ...withRevision,
  tag,
  id: 'createEnvironment',
  summary: 'Create an environment',
  description:
    'It has one SDK key of each type, and all features are off. A protected environment also requires the permission `feature:publish`.',
  method: 'POST',
  path: '/v1/projects/{project}/environments',
  params: inProject,
  body: CreateEnvironment,
  accessLog: 'secretShown',
  status: 201,
  response: Environment
})

/** List environments. */
export const listEnvironments = defineOperation({
  ...accessWithoutBody('environment:read', 404),
  tag,
  id: 'listEnvironments',
  summary: 'List environments',
  description:
    'The SDK keys of protected environments are omitted for callers who cannot change them. Leave out keys that you do not need: the access log records every response with keys.',
  method: 'GET',
  path: '/v1/projects/{project}/environments',
  params: inProject,
  query: Pagination.extend({ includeSdkKeys }),
  accessLog: 'secretShown',
  status: 200,
  response: z.array(Environment),
  responseKind: 'list'
})

/** Get an environment. */
export const getEnvironment = defineOperation({
  ...accessWithoutBody('environment:read', 404),
  ...withRevision,
  tag,
  id: 'getEnvironment',
  summary: 'Get an environment',
  description:
    'The SDK keys of a protected environment are omitted for callers who cannot change it. Leave out keys that you do not need: the access log records every response with keys.',
  method: 'GET',
  path: '/v1/projects/{project}/environments/{key}',
  params,
  query: z.object({ includeSdkKeys }),
  accessLog: 'secretShown',
  status: 200,
  response: Environment
})

/** Update an environment. */
export const updateEnvironment = defineOperation({
  ...accessWithBody('environment:write', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateEnvironment',
  summary: 'Update an environment',
  description:
    'An environment that is protected before or after the change also requires the permission `feature:publish`.',
  method: 'PATCH',
  path: '/v1/projects/{project}/environments/{key}',
  params: added,
  body: UpdateEnvironment,
  accessLog: 'secretShown',
  status: 200,
  response: Environment
})

/** Delete an environment. */
export const deleteEnvironment = defineOperation({
  ...accessWithoutBody('environment:delete', 404, 405, 412),
  ...ifMatch,
  tag,
  id: 'deleteEnvironment',
  summary: 'Delete an environment',
  description:
    'Also deletes its targets and SDK keys, which stop working immediately. Returns 405 for the last environment of a project. A protected environment also requires the permission `feature:publish`.',
  method: 'DELETE',
  path: '/v1/projects/{project}/environments/{key}',
  params: added,
  status: 200
})

/** Generate SDK keys. */
export const generateSdkKeys = defineOperation({
  ...accessWithBody('environment:write', 404),
  ...withRevision,
  tag,
  id: 'generateSdkKeys',
  summary: 'Generate SDK keys',
  description:
    'Existing keys stay valid. To replace a key, generate a new one, and then invalidate the old one or let it expire. The restrictions apply to all generated keys. Returns 400 if one of the types does not support them. A protected environment also requires the permission `feature:publish`.',
  method: 'POST',
  path: '/v1/projects/{project}/environments/{environment}/sdk-keys',
  params: z.object({ project: ProjectReference, environment: EnvironmentReference }),
  body: GenerateSdkKeys,
  accessLog: 'secretShown',
  status: 201,
  response: Environment
})

/** Update an SDK key. */
export const updateSdkKey = defineOperation({
  ...accessWithBody('environment:write', 404, 412),
  ...newRevision,
  tag,
  id: 'updateSdkKey',
  summary: 'Update an SDK key',
  description:
    'Changes the expiry, networks or origins of the key; `null` removes a restriction. Takes effect immediately, including for open streams. A protected environment also requires the permission `feature:publish`.',
  method: 'PATCH',
  path: '/v1/projects/{project}/environments/{environment}/sdk-keys/{key}',
  params: sdkKeyParams,
  body: UpdateSdkKey,
  accessLog: 'secretShown',
  status: 200,
  response: Environment
})

/** Invalidate an SDK key. */
export const invalidateSdkKey = defineOperation({
  ...accessWithoutBody('environment:write', 404, 405, 412),
  ...ifMatch,
  tag,
  id: 'invalidateSdkKey',
  summary: 'Invalidate an SDK key',
  description:
    'The key stops working immediately. Returns 405 for the last key of a type. A protected environment also requires the permission `feature:publish`.',
  method: 'DELETE',
  path: '/v1/projects/{project}/environments/{environment}/sdk-keys/{key}',
  params: sdkKeyParams,
  query: DryRun,
  status: 200
})
