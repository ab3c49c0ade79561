import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { IdReference } from '../../schema/common/fields.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { ProjectReference } from '../../schema/common/references.ts'
import {
  CreateWebhook,
  ListWebhookDeliveries,
  UpdateWebhook,
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookSecret
} from '../../schema/projects/webhook.ts'
import { accessWithBody, accessWithoutBody, ifMatch, newRevision, withRevision } from '../operationAccess.ts'

const tag = 'Webhooks'
const inProject = z.object({ project: ProjectReference })
const params = z.object({ project: ProjectReference, id: IdReference })
const ofDelivery = params.extend({ delivery: IdReference })

/** Create a webhook. */
export const createWebhook = defineOperation({
  ...accessWithBody('project:write:settings', 404, 409),
  ...withRevision,
  tag,
  id: 'createWebhook',
  summary: 'Create a webhook',
  method: 'POST',
  path: '/v1/projects/{project}/webhooks',
  params: inProject,
  body: CreateWebhook,
  status: 201,
  response: Webhook
})

/** List webhooks. */
export const listWebhooks = defineOperation({
  ...accessWithoutBody('project:read', 404),
  tag,
  id: 'listWebhooks',
  summary: 'List webhooks',
  description: 'Callers without `project:write:settings` see only the origin of `url`.',
  method: 'GET',
  path: '/v1/projects/{project}/webhooks',
  params: inProject,
  query: Pagination,
  status: 200,
  response: z.array(Webhook),
  responseKind: 'list'
})

/** Get a webhook. */
export const getWebhook = defineOperation({
  ...accessWithoutBody('project:read', 404),
  ...withRevision,
  tag,
  id: 'getWebhook',
  summary: 'Get a webhook',
  description: 'Callers without `project:write:settings` see only the origin of `url`.',
  method: 'GET',
  path: '/v1/projects/{project}/webhooks/{id}',
  params,
  status: 200,
  response: Webhook
})

/** Update a webhook. */
export const updateWebhook = defineOperation({
  ...accessWithBody('project:write:settings', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateWebhook',
  summary: 'Update a webhook',
  method: 'PATCH',
  path: '/v1/projects/{project}/webhooks/{id}',
  params,
  body: UpdateWebhook,
  status: 200,
  response: Webhook
})

/** Delete a webhook. */
export const deleteWebhook = defineOperation({
  ...accessWithoutBody('project:write:settings', 404, 412),
  ...ifMatch,
  tag,
  id: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Returns the deleted webhook.',
  method: 'DELETE',
  path: '/v1/projects/{project}/webhooks/{id}',
  params,
  status: 200,
  response: Webhook
})

/** Get the signing secret of a webhook. */
export const getWebhookSecret = defineOperation({
  ...accessWithoutBody('project:write:settings', 404),
  tag,
  id: 'getWebhookSecret',
  summary: 'Get the signing secret of a webhook',
  method: 'GET',
  path: '/v1/projects/{project}/webhooks/{id}/secret',
  params,
  accessLog: 'secretShown',
  status: 200,
  response: WebhookSecret
})

/** Rotate the signing secret of a webhook. */
export const rotateWebhookSecret = defineOperation({
  ...accessWithoutBody('project:write:settings', 404),
  tag,
  id: 'rotateWebhookSecret',
  summary: 'Rotate the signing secret of a webhook',
  description: 'For one day, deliveries are also signed with the previous secret. Older secrets expire immediately.',
  method: 'POST',
  path: '/v1/projects/{project}/webhooks/{id}/secret',
  params,
  accessLog: 'secretShown',
  status: 201,
  response: WebhookSecret
})

/** Test a webhook. */
export const testWebhook = defineOperation({
  ...accessWithoutBody('project:write:settings', 404, 409),
  tag,
  id: 'testWebhook',
  summary: 'Test a webhook',
  description:
    'Sends a signed sample with `test: true` and returns the response of the receiver. The sample is sent once, even if the webhook is disabled, and is not listed as a delivery. Returns 409 while another test of this webhook is running, and 429 while too many tests are running or after 30 tests per minute in the project.',
  method: 'POST',
  path: '/v1/projects/{project}/webhooks/{id}/test',
  params,
  status: 200,
  response: WebhookAttempt
})

/** List the deliveries of a webhook. */
export const listWebhookDeliveries = defineOperation({
  ...accessWithoutBody('project:read', 404),
  tag,
  id: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook',
  description:
    'Newest first. Finished deliveries are kept for 30 days, at most 1,000 per webhook. Callers without `project:write:settings` do not see the responses of the receiver.',
  method: 'GET',
  path: '/v1/projects/{project}/webhooks/{id}/deliveries',
  params,
  query: ListWebhookDeliveries,
  status: 200,
  response: z.array(WebhookDelivery),
  responseKind: 'list'
})

/** Get a delivery of a webhook. */
export const getWebhookDelivery = defineOperation({
  ...accessWithoutBody('project:read', 404),
  tag,
  id: 'getWebhookDelivery',
  summary: 'Get a delivery of a webhook',
  description: 'Callers without `project:write:settings` do not see the responses of the receiver.',
  method: 'GET',
  path: '/v1/projects/{project}/webhooks/{id}/deliveries/{delivery}',
  params: ofDelivery,
  status: 200,
  response: WebhookDelivery
})

/** Redeliver a message to a webhook. */
export const redeliverWebhook = defineOperation({
  ...accessWithoutBody('project:write:settings', 404, 409),
  tag,
  id: 'redeliverWebhook',
  summary: 'Redeliver a message to a webhook',
  description:
    'Sends the message immediately, with its original id for deduplication, and retries it with its remaining attempts if that fails. For a pending delivery, the next attempt is made now. Returns 409 while an attempt is running, or if the webhook is disabled.',
  method: 'POST',
  path: '/v1/projects/{project}/webhooks/{id}/deliveries/{delivery}/redeliver',
  params: ofDelivery,
  status: 201,
  response: WebhookDelivery
})
