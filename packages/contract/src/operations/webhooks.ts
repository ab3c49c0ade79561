import { z } from 'zod'
import { operation } from '../operation.ts'
import { IdReference, Reference } from '../schema/fields.ts'
import { Pagination } from '../schema/pagination.ts'
import { CreateWebhook, UpdateWebhook, Webhook } from '../schema/webhook.ts'
import { allowing, allowingChange, allowingCommand } from './allowing.ts'

const tag = 'Webhooks'
const inProject = z.object({ project: Reference })
const params = z.object({ project: Reference, id: IdReference })

/** A new webhook. */
export const createWebhook = operation({
  ...allowingChange('project:write:settings', 404, 409),
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
export const listWebhooks = operation({
  ...allowing('project:read', 404),
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
  answer: 'list'
})

/** One webhook. */
export const getWebhook = operation({
  ...allowing('project:read', 404),
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
export const updateWebhook = operation({
  ...allowingChange('project:write:settings', 404, 409),
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
export const deleteWebhook = operation({
  ...allowingCommand('project:write:settings', 404),
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
