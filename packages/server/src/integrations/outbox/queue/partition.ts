import type { ReceiverId, StoredDelivery } from '../../../storage/resources/notification.ts'

/** A delivery that is neither delivered nor dead. */
export interface PendingDelivery {
  readonly delivery: StoredDelivery
  /** The position of its entry in the audit log, which orders the deliveries of a partition. */
  readonly position: number
  /** When it may be attempted, in epoch milliseconds. */
  readonly dueAt: number
}

/** The pending deliveries of one receiver about one feature, which are made one after the other. */
export interface Partition {
  readonly key: string
  readonly endpointQueue: EndpointQueue
  /** In order, without the one in flight. */
  readonly pending: PendingDelivery[]
  isInFlight: boolean
}

/** The partitions of one receiver. */
export interface EndpointQueue {
  readonly receiver: ReceiverId
  /** The id of the project of its first delivery. */
  readonly project: string
  readonly partitions: Set<Partition>
  /** The partitions whose first delivery is due, in the order in which they became due. */
  readonly ready: Set<Partition>
  /** The number of attempts in flight. */
  inFlight: number
}

/** Returns a delivery with its position. Deliveries from before the audit log had positions come first. */
export function toPendingDelivery(delivery: StoredDelivery, position = 0): PendingDelivery {
  return { delivery, position, dueAt: Date.parse(delivery.nextAttemptAt ?? delivery.createdAt) }
}

/** Returns the key of the partition that a delivery belongs to. */
export function partitionKey({ receiver, _feature = '' }: StoredDelivery): string {
  return `${receiver} ${_feature}`
}

/** Inserts a delivery by its position. Searches from the end, where it nearly always belongs. */
export function insertInOrder(pending: PendingDelivery[], added: PendingDelivery): void {
  const before = pending.findLastIndex(({ position }) => position <= added.position)
  pending.splice(before + 1, 0, added)
}
