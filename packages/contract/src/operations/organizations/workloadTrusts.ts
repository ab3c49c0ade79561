import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { IdReference, Reference } from '../../schema/common/fields.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import {
  CreateWorkloadTrust,
  UpdateWorkloadTrust,
  WorkloadToken,
  WorkloadTrust
} from '../../schema/organizations/workloadTrust.ts'
import { accessWithBody, accessWithoutBody } from '../operationAccess.ts'

const tag = 'Workload identity'
const params = z.object({ trust: Reference.meta({ description: 'Key or id of the trust.', example: 'deploy' }) })
const ownersOnly = 'Only for owners of the organization.'

/** Create a trust. */
export const createWorkloadTrust = defineOperation({
  ...accessWithBody('organization:write:settings', 404, 409),
  tag,
  id: 'createWorkloadTrust',
  summary: 'Create a trust',
  description: `Lets the jobs of a CI system exchange their identity tokens for access tokens. See docs/guides/ci.md. Returns 403 if the caller grants permissions that they do not have. ${ownersOnly}`,
  method: 'POST',
  path: '/v1/organizations/current/trusts',
  body: CreateWorkloadTrust,
  status: 201,
  response: WorkloadTrust
})

/** List trusts. */
export const listWorkloadTrusts = defineOperation({
  ...accessWithoutBody('organization:write:settings'),
  tag,
  id: 'listWorkloadTrusts',
  summary: 'List trusts',
  description: ownersOnly,
  method: 'GET',
  path: '/v1/organizations/current/trusts',
  query: Pagination.pick({ page: true, perPage: true, sortBy: true, sortOrder: true, search: true }),
  status: 200,
  response: z.array(WorkloadTrust),
  responseKind: 'list'
})

/** Get a trust. */
export const getWorkloadTrust = defineOperation({
  ...accessWithoutBody('organization:write:settings', 404),
  tag,
  id: 'getWorkloadTrust',
  summary: 'Get a trust',
  description: ownersOnly,
  method: 'GET',
  path: '/v1/organizations/current/trusts/{trust}',
  params,
  status: 200,
  response: WorkloadTrust
})

/** Update a trust. */
export const updateWorkloadTrust = defineOperation({
  ...accessWithBody('organization:write:settings', 404),
  tag,
  id: 'updateWorkloadTrust',
  summary: 'Update a trust',
  description: `Changing anything except the name revokes the tokens of the trust. \`null\` for \`jwksUri\` or \`expiresAt\` removes the member. ${ownersOnly}`,
  method: 'PATCH',
  path: '/v1/organizations/current/trusts/{trust}',
  params,
  body: UpdateWorkloadTrust,
  status: 200,
  response: WorkloadTrust
})

/** Delete a trust. */
export const deleteWorkloadTrust = defineOperation({
  ...accessWithoutBody('organization:write:settings', 404),
  tag,
  id: 'deleteWorkloadTrust',
  summary: 'Delete a trust',
  description: `Revokes all tokens of the trust immediately. ${ownersOnly}`,
  method: 'DELETE',
  path: '/v1/organizations/current/trusts/{trust}',
  params,
  status: 200
})

/** List the tokens of a trust. */
export const listWorkloadTokens = defineOperation({
  ...accessWithoutBody('organization:write:settings', 404),
  tag,
  id: 'listWorkloadTokens',
  summary: 'List the tokens of a trust',
  description: `The valid tokens, newest first. ${ownersOnly}`,
  method: 'GET',
  path: '/v1/organizations/current/trusts/{trust}/tokens',
  params,
  query: Pagination.pick({ page: true, perPage: true }),
  status: 200,
  response: z.array(WorkloadToken),
  responseKind: 'list'
})

/** Revoke a token of a trust. */
export const revokeWorkloadToken = defineOperation({
  ...accessWithoutBody('organization:write:settings', 404),
  tag,
  id: 'revokeWorkloadToken',
  summary: 'Revoke a token of a trust',
  description: ownersOnly,
  method: 'DELETE',
  path: '/v1/organizations/current/trusts/{trust}/tokens/{token}',
  params: params.extend({ token: IdReference.meta({ description: 'Id of the token.' }) }),
  status: 200
})
