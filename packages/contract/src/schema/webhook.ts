import { z } from 'zod'
import { ChangeType } from './audit.ts'
import { admin, createdAt, deployWebhookFields, ids, timestamps } from './examples/shop.ts'
import { ChangeSource, DateTime, Description, Id, Name, Reference, recordFields, UserReference } from './fields.ts'
import { HttpUrl } from './httpUrl.ts'
import { Pagination } from './pagination.ts'

const OutputFormat = z.object({ type: z.enum(['json', 'chat']) })

/** An address that is called when features of a project change. */
export const Webhook = z
  .object({
    ...recordFields,
    _project: Id,
    name: Name,
    description: Description.exactOptional(),
    url: HttpUrl,
    events: z.array(ChangeType).max(ChangeType.options.length),
    _feature: Id.exactOptional().meta({ description: 'Id of the one feature it is about; absent: all of them.' }),
    _environments: z.array(Id).meta({ description: 'Ids of the environments it is about; empty: all of them.' }),
    enabled: z
      .boolean()
      .meta({ description: 'Whether it is called. The server switches off what is gone, or fails for days.' }),
    disabledReason: z.string().exactOptional().meta({ description: 'Why the server switched it off.' }),
    outputFormat: OutputFormat.exactOptional().meta({ description: 'Default: json.' }),
    source: ChangeSource.exactOptional(),
    createdBy: UserReference.exactOptional(),
    _chatIntegration: z.string().exactOptional()
  })
  .meta({
    id: 'Webhook',
    example: {
      _id: ids.webhook,
      ...timestamps,
      _project: ids.project,
      ...deployWebhookFields,
      _feature: ids.feature,
      _environments: [ids.production],
      enabled: true,
      outputFormat: { type: 'json' },
      source: 'api',
      createdBy: admin
    }
  })
export type Webhook = z.infer<typeof Webhook>

const WebhookBody = Webhook.pick({ name: true, description: true, url: true, events: true })
  .extend({
    _feature: Reference.nullable().meta({
      description: 'Key or id of the one feature it is about; null: all of them.'
    }),
    _environments: z
      .array(Reference)
      .max(1000)
      .nullable()
      .meta({ description: 'Keys or ids of the environments it is about; empty or null: all of them.' }),
    enabled: Webhook.shape.enabled,
    outputFormat: OutputFormat.strict()
  })
  .strict()

/** The body that creates a webhook. */
export const CreateWebhook = WebhookBody.partial({
  description: true,
  _feature: true,
  _environments: true,
  enabled: true,
  outputFormat: true
}).meta({
  id: 'CreateWebhook',
  example: deployWebhookFields
})
export type CreateWebhook = z.infer<typeof CreateWebhook>

/** The body that changes a webhook. */
export const UpdateWebhook = WebhookBody.partial().meta({
  id: 'UpdateWebhook',
  example: { _feature: 'new-checkout', _environments: ['production'] }
})
export type UpdateWebhook = z.infer<typeof UpdateWebhook>

/** What deliveries of a webhook are signed with (Standard Webhooks 1.0.0). */
export const WebhookSecret = z
  .object({
    secret: z.string().meta({ description: '`whsec_` and base64, as libraries of Standard Webhooks take it.' }),
    previousEndsAt: DateTime.exactOptional().meta({
      description: 'Until when deliveries are also signed with the secret before.'
    })
  })
  .meta({
    id: 'WebhookSecret',
    example: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', previousEndsAt: '2026-03-02T12:00:00.000Z' }
  })
export type WebhookSecret = z.infer<typeof WebhookSecret>

/** One try to deliver, and what came of it. */
export const WebhookAttempt = z
  .object({
    at: DateTime,
    status: z.int().exactOptional().meta({ description: 'The status that was answered; absent when nothing was.' }),
    error: z.string().exactOptional().meta({ description: 'Why it failed.' }),
    response: z.string().exactOptional().meta({ description: 'The beginning of what was answered.' }),
    durationMs: z.number()
  })
  .meta({ id: 'WebhookAttempt', example: { at: createdAt, status: 204, durationMs: 81 } })
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

/** What became of telling one change to a webhook. */
export const WebhookDelivery = z
  .object({
    ...recordFields,
    _project: Id,
    _webhook: Id,
    _feature: Id.exactOptional(),
    events: z.array(z.string()).meta({ description: 'What it tells of.' }),
    status: z.enum(['pending', 'delivered', 'dead']).meta({
      description: '`dead` is what was given up; it can be delivered again.'
    }),
    reason: z.string().exactOptional().meta({ description: 'Why it was given up, where no attempt tells it.' }),
    attempts: z.array(WebhookAttempt).meta({ description: 'The oldest first.' }),
    nextAttemptAt: DateTime.exactOptional().meta({ description: 'When it is tried again, while it is pending.' })
  })
  .meta({
    id: 'WebhookDelivery',
    example: {
      _id: ids.auditEntry,
      ...timestamps,
      _project: ids.project,
      _webhook: ids.webhook,
      _feature: ids.feature,
      events: ['enabledEnvironment'],
      status: 'delivered',
      attempts: [{ at: createdAt, status: 204, durationMs: 81 }]
    }
  })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** Which deliveries of a webhook a list has: the newest first. */
export const ListWebhookDeliveries = Pagination.pick({ page: true, perPage: true }).extend({
  status: WebhookDelivery.shape.status
    .optional()
    .meta({ description: 'Keeps those of this status: pending, delivered, or dead.' })
})
export type ListWebhookDeliveries = z.infer<typeof ListWebhookDeliveries>
