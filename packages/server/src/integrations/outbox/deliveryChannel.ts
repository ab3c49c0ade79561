import type { Edit } from '../../access/audit/edit.ts'
import type { OutboundRequest } from '../../lib/outbound/safeFetch.ts'
import {
  type ReceiverId,
  type ReceiverKind,
  receiverKinds,
  type StoredOutboxMessage
} from '../../storage/resources/notification.ts'
import type { Change, Store, StoreWrite } from '../../storage/store.ts'

/** A kind of receivers of changes, such as webhooks: finds its receivers and builds their messages. */
export interface DeliveryChannel {
  /** Returns the messages about a transaction's audit entries. They are written in the same transaction. */
  readonly buildMessages: (change: Change, transaction: Store) => Promise<readonly StoredOutboxMessage[]>
  /**
   * Builds the request for a message before each attempt; `at` is the time in epoch milliseconds. Returns `undefined`
   * when the receiver or the change no longer exists; the message is then discarded.
   */
  readonly prepare: (message: StoredOutboxMessage, at: number) => Promise<PreparedMessage | RejectedMessage | undefined>
  /** Whether a receiver with this id exists. */
  readonly exists: (id: string) => Promise<boolean>
  /** Returns the id of the receiver that a write removes or disables. */
  readonly removedBy: (write: StoreWrite) => string | undefined
  /**
   * Disables a receiver as part of an edit by the server. Returns whether it did; a receiver that is disabled already
   * or no longer exists is left alone. If omitted, failing receivers are never disabled automatically.
   */
  readonly disable?: (edit: Edit, id: string, options: DisableOptions) => Promise<boolean>
}

/** Why a receiver is disabled. */
export interface DisableOptions {
  /** Shown to people. */
  readonly reason: string
  /** The receiver's `updatedAt` at the failing attempt. If it was edited since, it is not disabled. */
  readonly editedAt: string
}

/** A message that is ready to be sent. */
export interface PreparedMessage {
  readonly type: 'ready'
  readonly request: OutboundRequest
  /** The receiver's `updatedAt`, ISO 8601. Failures before it are disregarded. */
  readonly editedAt: string
  /** What to log when the receiver fails; for channels whose deliveries cannot be listed. */
  readonly onFailure?: { readonly message: string; readonly fields: Readonly<Record<string, string>> }
}

/** A message that is given up without an attempt, for example because its receiver is disabled. */
export interface RejectedMessage {
  readonly type: 'rejected'
  /** Shown to people. */
  readonly reason: string
}

/** The channels by kind. */
export type DeliveryChannels = Readonly<Record<ReceiverKind, DeliveryChannel>>

/** Returns the id of a receiver in the outbox. */
export function toReceiver(kind: ReceiverKind, id: string): ReceiverId {
  return `${kind}:${id}`
}

/** Splits a `ReceiverId`. */
export function parseReceiver(receiver: ReceiverId): { readonly kind: ReceiverKind; readonly id: string } {
  const at = receiver.indexOf(':')
  // Only `toReceiver` makes receiver ids.
  return { kind: receiver.slice(0, at) as ReceiverKind, id: receiver.slice(at + 1) }
}

/** Returns the receivers that a transaction removes or disables. */
export function receiversRemovedBy(channels: DeliveryChannels, { writes }: Change): ReceiverId[] {
  return receiverKinds.flatMap((kind) => {
    const ids = writes.flatMap((write) => channels[kind].removedBy(write) ?? [])
    return ids.map((id) => toReceiver(kind, id))
  })
}

/** Whether a receiver exists. */
export function hasReceiver(channels: DeliveryChannels, receiver: ReceiverId): Promise<boolean> {
  const { kind, id } = parseReceiver(receiver)
  return channels[kind].exists(id)
}
