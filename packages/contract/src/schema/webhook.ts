import { z } from 'zod'
import { ChangeType } from './audit.ts'
import { admin, deployLog, ids, stamped } from './examples/shop.ts'
import { Description, Id, Name, Origin, Reference, stamps, UserReference } from './fields.ts'
import { HttpUrl } from './httpUrl.ts'

const OutputFormat = z.object({ type: z.enum(['json', 'chat']) })

/** An address that is called when features of a project change. */
export const Webhook = z
  .object({
    ...stamps,
    _project: Id,
    name: Name,
    description: Description.exactOptional(),
    url: HttpUrl,
    events: z.array(ChangeType).max(ChangeType.options.length),
    _feature: Id.exactOptional().meta({ description: 'Id of the one feature it is about; absent: all of them.' }),
    _environments: z.array(Id).meta({ description: 'Ids of the environments it is about; empty: all of them.' }),
    outputFormat: OutputFormat.exactOptional().meta({ description: 'Default: json.' }),
    source: Origin.exactOptional(),
    createdBy: UserReference.exactOptional(),
    _chatIntegration: z.string().exactOptional()
  })
  .meta({
    id: 'Webhook',
    example: {
      _id: ids.webhook,
      ...stamped,
      _project: ids.project,
      ...deployLog,
      _feature: ids.feature,
      _environments: [ids.production],
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
    outputFormat: OutputFormat.strict()
  })
  .strict()

/** The body that creates a webhook. */
export const CreateWebhook = WebhookBody.partial({
  description: true,
  _feature: true,
  _environments: true,
  outputFormat: true
}).meta({
  id: 'CreateWebhook',
  example: deployLog
})
export type CreateWebhook = z.infer<typeof CreateWebhook>

/** The body that changes a webhook. */
export const UpdateWebhook = WebhookBody.partial().meta({
  id: 'UpdateWebhook',
  example: { _feature: 'new-checkout', _environments: ['production'] }
})
export type UpdateWebhook = z.infer<typeof UpdateWebhook>
