import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { ApiClient, ApiClientSecret, CreateApiClient, CreatedApiClient, UpdateApiClient } from '../schema/apiClient.ts'
import { IdReference } from '../schema/fields.ts'
import { Pagination } from '../schema/pagination.ts'
import { commandAccess, readAccess, writeAccess } from './operationAccess.ts'

const tag = 'API clients'
const params = z.object({ client: IdReference.meta({ description: 'Client id, or id, of the client.' }) })

/** A new client. */
export const createApiClient = defineOperation({
  ...writeAccess('organization:write:settings', 404, 409),
  tag,
  id: 'createApiClient',
  summary: 'Add a client',
  description:
    'Beyond the specification. Answers its secret, which is not shown again. Nobody grants more than they may do themselves: that answers 403.',
  method: 'POST',
  path: '/v1/organizations/current/clients',
  body: CreateApiClient,
  status: 201,
  response: CreatedApiClient
})

/** The clients of the organization. */
export const listApiClients = defineOperation({
  ...readAccess('organization:read:settings'),
  tag,
  id: 'listApiClients',
  summary: 'List the clients of the organization',
  description: 'Beyond the specification.',
  method: 'GET',
  path: '/v1/organizations/current/clients',
  query: Pagination.pick({ page: true, perPage: true, sortBy: true, sortOrder: true, search: true }),
  status: 200,
  response: z.array(ApiClient),
  responseKind: 'list'
})

/** One client. */
export const getApiClient = defineOperation({
  ...readAccess('organization:read:settings', 404),
  tag,
  id: 'getApiClient',
  summary: 'Get a client',
  description: 'Beyond the specification.',
  method: 'GET',
  path: '/v1/organizations/current/clients/{client}',
  params,
  status: 200,
  response: ApiClient
})

/** Changes of a client. */
export const updateApiClient = defineOperation({
  ...writeAccess('organization:write:settings', 404, 405),
  tag,
  id: 'updateApiClient',
  summary: 'Change a client',
  description:
    'Beyond the specification. `null` for roles or permissions takes the limit away. Nobody changes a client that may do more than they themselves, and no client itself: that answers 405. Other addresses, permissions or another `isAssistant` void its tokens and what people agreed to with it; other addresses of a client that somebody else made and people sign in to take every permission.',
  method: 'PATCH',
  path: '/v1/organizations/current/clients/{client}',
  params,
  body: UpdateApiClient,
  status: 200,
  response: ApiClient
})

/** The end of a client. */
export const deleteApiClient = defineOperation({
  ...commandAccess('organization:write:settings', 404, 405),
  tag,
  id: 'deleteApiClient',
  summary: 'Revoke a client',
  description:
    'Beyond the specification. Every token it has, for itself or for people, is void at once. A client cannot revoke itself: that answers 405.',
  method: 'DELETE',
  path: '/v1/organizations/current/clients/{client}',
  params,
  status: 200
})

/** A new secret for a client. */
export const rotateApiClientSecret = defineOperation({
  ...commandAccess('organization:write:settings', 404, 412),
  tag,
  id: 'rotateApiClientSecret',
  summary: "Replace a client's secret",
  description:
    'Beyond the specification. Its tokens, and what people agreed to with it, are void at once. A client that somebody else made and people sign in to takes every permission. Answers 412 for a public client, which has none.',
  method: 'POST',
  path: '/v1/organizations/current/clients/{client}/secret',
  params,
  status: 201,
  response: ApiClientSecret
})
