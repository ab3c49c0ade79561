import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { IdReference, Reference } from '../schema/fields.ts'
import { Pagination } from '../schema/pagination.ts'
import {
  CreateWebhook,
  ListWebhookDeliveries,
  UpdateWebhook,
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookSecret
} from '../schema/webhook.ts'
import { commandAccess, readAccess, writeAccess } from './operationAccess.ts'

const tag = 'Webhooks'
const inProject = z.object({ project: Reference })
const params = z.object({ project: Reference, id: IdReference })
const ofDelivery = params.extend({ delivery: IdReference })

/** A new webhook. */
export const createWebhook = defineOperation({
  ...writeAccess('project:write:settings', 404, 409),
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

/** The webhooks of a project. */
export const listWebhooks = defineOperation({
  ...readAccess('project:read', 404),
  tag,
  id: 'listWebhooks',
  summary: 'List the webhooks of a project',
  description:
    'The address is whole for those who may change it, who hold `project:write:settings`; others see which server it is on.',
  method: 'GET',
  path: '/v1/projects/{project}/webhooks',
  params: inProject,
  query: Pagination,
  status: 200,
  response: z.array(Webhook),
  responseKind: 'list'
})

/** One webhook. */
export const getWebhook = defineOperation({
  ...readAccess('project:read', 404),
  tag,
  id: 'getWebhook',
  summary: 'Get a webhook',
  description:
    'The address is whole for those who may change it, who hold `project:write:settings`; others see which server it is on.',
  method: 'GET',
  path: '/v1/projects/{project}/webhooks/{id}',
  params,
  status: 200,
  response: Webhook
})

/** Changes of a webhook. */
export const updateWebhook = defineOperation({
  ...writeAccess('project:write:settings', 404, 409),
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

/** The end of a webhook. */
export const deleteWebhook = defineOperation({
  ...commandAccess('project:write:settings', 404),
  tag,
  id: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Answers the webhook that was deleted.',
  method: 'DELETE',
  path: '/v1/projects/{project}/webhooks/{id}',
  params,
  status: 200,
  response: Webhook
})

/** What deliveries of a webhook are signed with. */
export const getWebhookSecret = defineOperation({
  ...readAccess('project:write:settings', 404),
  tag,
  id: 'getWebhookSecret',
  summary: 'Get the secret that deliveries of a webhook are signed with',
  method: 'GET',
  path: '/v1/projects/{project}/webhooks/{id}/secret',
  params,
  status: 200,
  response: WebhookSecret
})

/** Another secret for a webhook. */
export const rotateWebhookSecret = defineOperation({
  ...commandAccess('project:write:settings', 404),
  tag,
  id: 'rotateWebhookSecret',
  summary: 'Replace the secret that deliveries of a webhook are signed with',
  description: 'For a day, deliveries are signed with the secret before as well; one that is older signs no more.',
  method: 'POST',
  path: '/v1/projects/{project}/webhooks/{id}/secret',
  params,
  status: 201,
  response: WebhookSecret
})

/** A message that tells of nothing. */
export const testWebhook = defineOperation({
  ...readAccess('project:write:settings', 404, 409, 429),
  tag,
  id: 'testWebhook',
  summary: 'Send a sample to a webhook, and see what it answers',
  description:
    'The sample is signed and has the form of a change, with `test: true`. It is sent once, at once, also to a webhook that is switched off, and leaves no delivery. 409 while another test of this webhook is under way, 429 while too many of others are, or after 30 tests in a minute in the project.',
  method: 'POST',
  path: '/v1/projects/{project}/webhooks/{id}/test',
  params,
  status: 200,
  response: WebhookAttempt
})

/** What became of the messages to a webhook. */
export const listWebhookDeliveries = defineOperation({
  ...readAccess('project:read', 404),
  tag,
  id: 'listWebhookDeliveries',
  summary: 'List what a webhook was told, and what came of it',
  description:
    'The newest first. What is settled is kept for 30 days, the last 1,000 of a webhook. What the receiver answered is shown to those who hold `project:write:settings`.',
  method: 'GET',
  path: '/v1/projects/{project}/webhooks/{id}/deliveries',
  params,
  query: ListWebhookDeliveries,
  status: 200,
  response: z.array(WebhookDelivery),
  responseKind: 'list'
})

/** One of them. */
export const getWebhookDelivery = defineOperation({
  ...readAccess('project:read', 404),
  tag,
  id: 'getWebhookDelivery',
  summary: 'Get what became of one message to a webhook',
  description: 'What the receiver answered is shown to those who hold `project:write:settings`.',
  method: 'GET',
  path: '/v1/projects/{project}/webhooks/{id}/deliveries/{delivery}',
  params: ofDelivery,
  status: 200,
  response: WebhookDelivery
})

/** A settled message, sent again. */
export const redeliverWebhook = defineOperation({
  ...commandAccess('project:write:settings', 404, 409),
  tag,
  id: 'redeliverWebhook',
  summary: 'Send a message to a webhook again',
  description:
    'It goes out at once, under the id that it had, so that a receiver knows it again; the attempts that it has left follow if that fails. Of one that is pending, the next attempt is brought forward. 409 while it is being tried, or the webhook is switched off.',
  method: 'POST',
  path: '/v1/projects/{project}/webhooks/{id}/deliveries/{delivery}/redeliver',
  params: ofDelivery,
  status: 201,
  response: WebhookDelivery
})
