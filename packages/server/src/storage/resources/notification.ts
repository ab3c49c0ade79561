import type { Webhook, WebhookAttempt, WebhookDelivery, WebhookEvent } from '@burgee/contract/schemas'
import type { RecordFields } from './recordFields.ts'

/** A webhook, which is notified of changes. */
export interface StoredWebhook extends Readonly<Webhook> {
  /** The signing secrets: the current one first, then previous ones, which also sign until `endsAt`. */
  readonly secrets: readonly { readonly secret: string; readonly endsAt?: string }[]
}

/** A pending notification: written in the transaction of the change, and removed when its delivery is stored. */
export interface StoredOutboxMessage extends RecordFields {
  readonly _project: string
  readonly receiver: ReceiverId
  /** Messages to a receiver about the same feature are delivered in order. */
  readonly _feature?: string
  /** The audit entry of the change. */
  readonly _entry: string
  readonly telling: ChangeNotification
}

/**
 * The content of a notification that the audit entry lacks. It is stored because people, features and keys may be
 * deleted before the delivery.
 */
export interface ChangeNotification {
  /** The indexes of the changes in the entry. */
  readonly changes: readonly number[]
  /** The types of these changes, each once. */
  readonly events: readonly WebhookEvent[]
  /** Key of the project. */
  readonly project: string
  /**
   * The key of the feature before the change; for a new feature, after it. For warnings, the key of the environment or
   * the id of the client.
   */
  readonly key: string
  /** The author of the change; for people, with their e-mail address. */
  readonly user: { readonly name: string; readonly email?: string }
  /** A copy of a webhook that was deleted together with its feature, to notify it of the deletion. */
  readonly webhook?: StoredWebhook
}

/** The kinds of receivers of notifications. */
export const receiverKinds = ['webhook', 'observability'] as const
export type ReceiverKind = (typeof receiverKinds)[number]

/** The receiver of a notification: its kind and its id. */
export type ReceiverId = `${ReceiverKind}:${string}`

/** The delivery of a message, with the same id; receivers know the message by it. */
export interface StoredDelivery extends StoredOutboxMessage {
  readonly status: WebhookDelivery['status']
  /** The types of the changes. */
  readonly events: readonly string[]
  /** Why delivery was abandoned, if the attempts do not show it. */
  readonly reason?: string
  /** Oldest first. */
  readonly attempts: readonly WebhookAttempt[]
  /** Absent if there are no further attempts. */
  readonly nextAttemptAt?: string
}
