import type { Edit } from '../../access/audit/edit.ts'
import type { OutboundRequest } from '../../lib/outbound/safeFetch.ts'
import type { ReceiverId, StoredOutboxMessage } from '../../storage/resources.ts'
import type { Change, Store, StoreWrite } from '../../storage/store.ts'

/** Those of one kind who are told of changes. Each kind knows who they are, and how they are told. */
export interface DeliveryChannel {
  /** The messages that a transaction calls for, by the audit entries among its writes; they become durable with it. */
  readonly buildMessages: (change: Change, transaction: Store) => Promise<readonly StoredOutboxMessage[]>
  /** What a message comes to at a moment, in epoch milliseconds; asked before each attempt. Nothing when its receiver, or what it tells, is no more. */
  readonly prepare: (message: StoredOutboxMessage, at: number) => Promise<PreparedMessage | RejectedMessage | undefined>
  /** Whether there is a receiver with this id. */
  readonly exists: (id: string) => Promise<boolean>
  /** The id of the receiver that is told nothing any more from this write on. */
  readonly removedBy: (write: StoreWrite) => string | undefined
  /** Switches a receiver off, as part of an edit that the server makes; one that is off already, or no more, stays as it is. Answers whether it did. Without it, receivers stay on whatever they answer. */
  readonly disable?: (edit: Edit, id: string, why: DisableReason) => Promise<boolean>
}

/** Why a receiver is to be switched off. */
export interface DisableReason {
  /** As people are told. */
  readonly reason: string
  /** When the receiver had been edited that gave reason for it. One that was edited since has given none. */
  readonly editedAt: string
}

/** A message as it is sent now. */
export interface PreparedMessage {
  readonly type: 'ready'
  readonly request: OutboundRequest
  /** When the receiver was last edited, ISO 8601: how it failed before that says nothing about it now. */
  readonly editedAt: string
  /** What the log tells of a receiver that fails, where there is nothing else to read about it. */
  readonly onFailure?: { readonly words: string; readonly members: Readonly<Record<string, string>> }
}

/** That a message is given up without a further attempt, as when its receiver is switched off. */
export interface RejectedMessage {
  readonly type: 'refused'
  /** As people are told. */
  readonly reason: string
}

/** All receivers, by the kind that a `Receiver` begins with. */
export type DeliveryChannels = Readonly<Record<ReceiverKind, DeliveryChannel>>

/** What a `Receiver` begins with. */
export type ReceiverKind = 'webhook' | 'observability'

/** A receiver of a kind, by its id there. */
export function toReceiver(kind: ReceiverKind, id: string): ReceiverId {
  return `${kind}:${id}`
}

/** Those who are told nothing any more from these writes on. */
export function receiversRemovedBy(receivers: DeliveryChannels, { writes }: Change): ReceiverId[] {
  return kinds.flatMap((kind) => {
    const ids = writes.flatMap((write) => receivers[kind].removedBy(write) ?? [])
    return ids.map((id) => toReceiver(kind, id))
  })
}

const kinds: readonly ReceiverKind[] = ['webhook', 'observability']

/** Whether a receiver is there. */
export function hasReceiver(receivers: DeliveryChannels, receiver: ReceiverId): Promise<boolean> {
  const { kind, id } = parseReceiver(receiver)
  return receivers[kind].exists(id)
}

/** The two parts of a `Receiver`. */
export function parseReceiver(receiver: ReceiverId): { readonly kind: ReceiverKind; readonly id: string } {
  const at = receiver.indexOf(':')
  // A receiver is one of the kinds, a colon and an id.
  return { kind: receiver.slice(0, at) as ReceiverKind, id: receiver.slice(at + 1) }
}
