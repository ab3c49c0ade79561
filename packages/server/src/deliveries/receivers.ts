import type { Edit } from '../audit/edit.ts'
import type { OutboundRequest } from '../outbound/send.ts'
import type { Receiver, StoredOutboxMessage } from '../store/resources.ts'
import type { Change, Store, Write } from '../store/store.ts'

/** Those of one kind who are told of changes. Each kind knows who they are, and how they are told. */
export interface Receivers {
  /** The messages that a transaction calls for, by the audit entries among its writes; they become durable with it. */
  readonly messagesOf: (change: Change, transaction: Store) => Promise<readonly StoredOutboxMessage[]>
  /** What a message comes to at a moment, in epoch milliseconds; asked before each attempt. Nothing when its receiver, or what it tells, is no more. */
  readonly prepare: (message: StoredOutboxMessage, at: number) => Promise<Ready | Refused | undefined>
  /** Whether there is a receiver with this id. */
  readonly exists: (id: string) => Promise<boolean>
  /** The id of the receiver that is told nothing any more from this write on. */
  readonly withdrawnBy: (write: Write) => string | undefined
  /** Switches a receiver off, as part of an edit that the server makes; one that is off already, or no more, stays as it is. Answers whether it did. Without it, receivers stay on whatever they answer. */
  readonly switchOff?: (edit: Edit, id: string, why: Why) => Promise<boolean>
}

/** Why a receiver is to be switched off. */
export interface Why {
  /** As people are told. */
  readonly reason: string
  /** When the receiver had been edited that gave reason for it. One that was edited since has given none. */
  readonly editedAt: string
}

/** A message as it is sent now. */
export interface Ready {
  readonly type: 'ready'
  readonly request: OutboundRequest
  /** When the receiver was last edited, ISO 8601: how it failed before that says nothing about it now. */
  readonly editedAt: string
  /** What the log tells of a receiver that fails, where there is nothing else to read about it. */
  readonly onFailure?: { readonly words: string; readonly members: Readonly<Record<string, string>> }
}

/** That a message is given up without a further attempt, as when its receiver is switched off. */
export interface Refused {
  readonly type: 'refused'
  /** As people are told. */
  readonly reason: string
}

/** All receivers, by the kind that a `Receiver` begins with. */
export type ReceiversByKind = Readonly<Record<ReceiverKind, Receivers>>

/** What a `Receiver` begins with. */
export type ReceiverKind = 'webhook' | 'observability'

/** A receiver of a kind, by its id there. */
export function receiverOf(kind: ReceiverKind, id: string): Receiver {
  return `${kind}:${id}`
}

/** Those who are told nothing any more from these writes on. */
export function withdrawnBy(receivers: ReceiversByKind, { writes }: Change): Receiver[] {
  return kinds.flatMap((kind) => {
    const ids = writes.flatMap((write) => receivers[kind].withdrawnBy(write) ?? [])
    return ids.map((id) => receiverOf(kind, id))
  })
}

const kinds: readonly ReceiverKind[] = ['webhook', 'observability']

/** Whether a receiver is there. */
export function isThere(receivers: ReceiversByKind, receiver: Receiver): Promise<boolean> {
  const { kind, id } = partsOf(receiver)
  return receivers[kind].exists(id)
}

/** The two parts of a `Receiver`. */
export function partsOf(receiver: Receiver): { readonly kind: ReceiverKind; readonly id: string } {
  const at = receiver.indexOf(':')
  // A receiver is one of the kinds, a colon and an id.
  return { kind: receiver.slice(0, at) as ReceiverKind, id: receiver.slice(at + 1) }
}
