import type { ReceiverId, StoredDelivery } from '../../../storage/resources.ts'

/** A delivery that is not settled. */
export interface PendingDelivery {
  readonly delivery: StoredDelivery
  /** The place of its audit entry in the log: lower ones go first. */
  readonly position: number
  /** When it may be tried, in epoch milliseconds. */
  readonly dueAt: number
}

/** What one receiver is told about one feature, one message after the other. */
export interface Partition {
  readonly key: string
  readonly endpointQueue: EndpointQueue
  /** In their order, without the one that is being tried. */
  readonly pending: PendingDelivery[]
  isInFlight: boolean
}

/** The lanes of one receiver. */
export interface EndpointQueue {
  readonly receiver: ReceiverId
  /** The project of its first message. */
  readonly project: string
  readonly partitions: Set<Partition>
  /** Those whose first message is due, in the order in which they became so. */
  readonly ready: Set<Partition>
  /** How many messages are being tried. */
  inFlight: number
}

/** A delivery, to be tried when it says so. Its place is that of its audit entry; those from before the log was a chain were first. */
export function toPendingDelivery(delivery: StoredDelivery, position = 0): PendingDelivery {
  return { delivery, position, dueAt: Date.parse(delivery.nextAttemptAt ?? delivery.createdAt) }
}

/** What distinguishes lanes. */
export function partitionKey({ receiver, _feature = '' }: StoredDelivery): string {
  return `${receiver} ${_feature}`
}

/** Puts a message in its place. Nearly always, that is the last one. */
export function insertInOrder(waiting: PendingDelivery[], added: PendingDelivery): void {
  const before = waiting.findLastIndex(({ position }) => position <= added.position)
  waiting.splice(before + 1, 0, added)
}
