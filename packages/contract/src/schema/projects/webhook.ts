import { z } from 'zod'
import {
  ChangeSource,
  DateTime,
  Description,
  HttpUrl,
  Id,
  Name,
  NameInput,
  Reference,
  recordFields,
  UserReference
} from '../common/fields.ts'
import { Pagination } from '../common/pagination.ts'
import { admin, createdAt, deployWebhookFields, ids, timestamps } from '../examples/shop.ts'
import { ChangeType, ExpiryWarning } from '../organizations/audit.ts'

const OutputFormat = z.object({ type: z.enum(['json', 'chat']) })

/** The types of events that webhooks receive: changes of features, and warnings that a credential expires soon. */
export const WebhookEvent = z.enum([...ChangeType.options, ...ExpiryWarning.options]).meta({ id: 'WebhookEvent' })
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** A URL that receives changes of features (docs/guides/webhooks.md). */
export const Webhook = z
  .object({
    ...recordFields,
    _project: Id,
    name: Name,
    description: Description.exactOptional(),
    url: HttpUrl.meta({ description: 'The http or https URL that receives the messages.' }),
    events: z
      .array(WebhookEvent)
      .max(WebhookEvent.options.length)
      .meta({ description: 'The types of changes that are sent.' }),
    _feature: Id.exactOptional().meta({
      description: 'Id of the feature whose changes are sent. Absent: all features.'
    }),
    _environments: z
      .array(Id)
      .meta({ description: 'Ids of the environments whose changes are sent. Empty: all environments.' }),
    enabled: z.boolean().meta({
      description: 'Whether changes are sent. The server disables webhooks that return 410 or fail for days.'
    }),
    disabledReason: z.string().exactOptional().meta({ description: 'The reason why the server disabled the webhook.' }),
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
    name: NameInput,
    _feature: Reference.nullable().meta({
      description: 'Key or id of the feature whose changes are sent; `null` sends those of all features.'
    }),
    _environments: z.array(Reference).max(1000).nullable().meta({
      description:
        'Keys or ids of the environments whose changes are sent. An empty list or `null` sends those of all environments.'
    }),
    enabled: Webhook.shape.enabled,
    outputFormat: OutputFormat.strict().meta({ description: 'The format of the messages. Default: json.' })
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

/** The body that updates a webhook. */
export const UpdateWebhook = WebhookBody.partial().meta({
  id: 'UpdateWebhook',
  example: { _feature: 'new-checkout', _environments: ['production'] }
})
export type UpdateWebhook = z.infer<typeof UpdateWebhook>

/** The signing secret of a webhook (Standard Webhooks 1.0.0). */
export const WebhookSecret = z
  .object({
    secret: z.string().meta({ description: '`whsec_` and base64, the format of Standard Webhooks libraries.' }),
    previousEndsAt: DateTime.exactOptional().meta({
      description: 'The time until which deliveries are also signed with the previous secret.'
    })
  })
  .meta({
    id: 'WebhookSecret',
    example: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', previousEndsAt: '2026-03-02T12:00:00.000Z' }
  })
export type WebhookSecret = z.infer<typeof WebhookSecret>

/** One attempt of a delivery. */
export const WebhookAttempt = z
  .object({
    at: DateTime,
    status: z.int().exactOptional().meta({ description: 'The response status. Absent if there was no response.' }),
    error: z.string().exactOptional().meta({ description: 'The reason why the attempt failed.' }),
    response: z.string().exactOptional().meta({ description: 'The beginning of the response body.' }),
    durationMs: z.number()
  })
  .meta({ id: 'WebhookAttempt', example: { at: createdAt, status: 204, durationMs: 81 } })
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

/** The delivery of one message to a webhook. */
export const WebhookDelivery = z
  .object({
    ...recordFields,
    _project: Id,
    _webhook: Id,
    _feature: Id.exactOptional(),
    events: z.array(z.string()).meta({ description: 'The change types of the message.' }),
    status: z.enum(['pending', 'delivered', 'dead']).meta({
      description: '`dead`: all attempts failed. It can be redelivered.'
    }),
    reason: z
      .string()
      .exactOptional()
      .meta({ description: 'The reason why the delivery is dead, if no attempt shows it.' }),
    attempts: z.array(WebhookAttempt).meta({ description: 'Oldest first.' }),
    nextAttemptAt: DateTime.exactOptional().meta({
      description: 'The time of the next attempt, if the delivery is pending.'
    })
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

/** The query of a list of deliveries, which is sorted newest first. */
export const ListWebhookDeliveries = Pagination.pick({ page: true, perPage: true }).extend({
  status: WebhookDelivery.shape.status.optional().meta({ description: 'Deliveries with this status.' })
})
export type ListWebhookDeliveries = z.infer<typeof ListWebhookDeliveries>
