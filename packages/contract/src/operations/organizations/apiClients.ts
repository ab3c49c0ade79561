import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { IdReference } from '../../schema/common/fields.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import {
  ApiClient,
  ApiClientSecret,
  CreateApiClient,
  CreatedApiClient,
  UpdateApiClient
} from '../../schema/organizations/apiClient.ts'
import { accessWithBody, accessWithoutBody } from '../operationAccess.ts'

const tag = 'API clients'
const params = z.object({
  client: IdReference.meta({ description: 'Client id or id of the API client.', example: 'deploy-bot' })
})

/** Create an API client. */
export const createApiClient = defineOperation({
  ...accessWithBody('organization:write:settings', 404, 409),
  tag,
  id: 'createApiClient',
  summary: 'Create an API client',
  description:
    'Returns the secret of the client, which cannot be read again. Returns 403 if the caller grants permissions that they do not have.',
  method: 'POST',
  path: '/v1/organizations/current/clients',
  body: CreateApiClient,
  accessLog: 'secretShown',
  status: 201,
  response: CreatedApiClient
})

/** List API clients. */
export const listApiClients = defineOperation({
  ...accessWithoutBody('organization:read:settings'),
  tag,
  id: 'listApiClients',
  summary: 'List API clients',
  method: 'GET',
  path: '/v1/organizations/current/clients',
  query: Pagination.pick({ page: true, perPage: true, sortBy: true, sortOrder: true, search: true }),
  status: 200,
  response: z.array(ApiClient),
  responseKind: 'list'
})

/** Get an API client. */
export const getApiClient = defineOperation({
  ...accessWithoutBody('organization:read:settings', 404),
  tag,
  id: 'getApiClient',
  summary: 'Get an API client',
  method: 'GET',
  path: '/v1/organizations/current/clients/{client}',
  params,
  status: 200,
  response: ApiClient
})

/** Update an API client. */
export const updateApiClient = defineOperation({
  ...accessWithBody('organization:write:settings', 404, 405),
  tag,
  id: 'updateApiClient',
  summary: 'Update an API client',
  description:
    '`null` for `roles`, `permissions`, `expiresAt` or `allowedNetworks` removes the restriction. Returns 403 if the client has permissions that the caller does not have, and 405 if a client changes itself. A change of `redirectUris`, `permissions` or `isAssistant` revokes the tokens and consents of the client. Changing the `redirectUris` of a client that another person created, and that users sign in to, requires all permissions.',
  method: 'PATCH',
  path: '/v1/organizations/current/clients/{client}',
  params,
  body: UpdateApiClient,
  status: 200,
  response: ApiClient
})

/** Delete an API client. */
export const deleteApiClient = defineOperation({
  ...accessWithoutBody('organization:write:settings', 404, 405),
  tag,
  id: 'deleteApiClient',
  summary: 'Delete an API client',
  description:
    'Revokes all tokens of the client immediately, including those of its users. Returns 405 if a client deletes itself.',
  method: 'DELETE',
  path: '/v1/organizations/current/clients/{client}',
  params,
  status: 200
})

/** Rotate the secret of an API client. */
export const rotateApiClientSecret = defineOperation({
  ...accessWithoutBody('organization:write:settings', 404, 412),
  tag,
  id: 'rotateApiClientSecret',
  summary: 'Rotate the secret of an API client',
  description:
    'Revokes the tokens and consents of the client immediately. For a client that another person created, and that users sign in to, all permissions are required. Returns 412 for a public client, which has no secret.',
  method: 'POST',
  path: '/v1/organizations/current/clients/{client}/secret',
  params,
  accessLog: 'secretShown',
  status: 201,
  response: ApiClientSecret
})
