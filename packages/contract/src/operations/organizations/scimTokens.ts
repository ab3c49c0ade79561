import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { IdReference } from '../../schema/common/fields.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { CreatedScimToken, CreateScimToken, ScimToken } from '../../schema/organizations/scimToken.ts'
import { accessWithBody, accessWithoutBody } from '../operationAccess.ts'

const tag = 'Provisioning'
const params = z.object({ token: IdReference.meta({ description: 'Name or id of the SCIM token.', example: 'okta' }) })

/** Create a SCIM token. */
export const createScimToken = defineOperation({
  ...accessWithBody('organization:write:settings', 409),
  tag,
  id: 'createScimToken',
  summary: 'Create a SCIM token',
  description:
    'Returns the token with which an identity provider provisions people and groups at `/scim/v2`. It cannot be read again, and can call only `/scim/v2`. Requires all permissions, because groups grant roles.',
  method: 'POST',
  path: '/v1/organizations/current/scim-tokens',
  body: CreateScimToken,
  accessLog: 'secretShown',
  status: 201,
  response: CreatedScimToken
})

/** List SCIM tokens. */
export const listScimTokens = defineOperation({
  ...accessWithoutBody('organization:write:settings'),
  tag,
  id: 'listScimTokens',
  summary: 'List SCIM tokens',
  method: 'GET',
  path: '/v1/organizations/current/scim-tokens',
  query: Pagination.pick({ page: true, perPage: true, sortBy: true, sortOrder: true, search: true }),
  status: 200,
  response: z.array(ScimToken),
  responseKind: 'list'
})

/** Revoke a SCIM token. */
export const deleteScimToken = defineOperation({
  ...accessWithoutBody('organization:write:settings', 404),
  tag,
  id: 'deleteScimToken',
  summary: 'Revoke a SCIM token',
  description: 'The token is refused immediately. Provisioned people and groups are not changed.',
  method: 'DELETE',
  path: '/v1/organizations/current/scim-tokens/{token}',
  params,
  status: 200
})
