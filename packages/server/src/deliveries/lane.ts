import type { Receiver, StoredDelivery } from '../store/resources.ts'

/** A delivery that is not settled. */
export interface Waiting {
  readonly delivery: StoredDelivery
  /** The place of its audit entry in the log: lower ones go first. */
  readonly position: number
  /** When it may be tried, in epoch milliseconds. */
  readonly dueAt: number
}

/** What one receiver is told about one feature, one message after the other. */
export interface Lane {
  readonly key: string
  readonly line: Line
  /** In their order, without the one that is being tried. */
  readonly waiting: Waiting[]
  isRunning: boolean
}

/** The lanes of one receiver. */
export interface Line {
  readonly receiver: Receiver
  /** The project of its first message. */
  readonly project: string
  readonly lanes: Set<Lane>
  /** Those whose first message is due, in the order in which they became so. */
  readonly ready: Set<Lane>
  /** How many messages are being tried. */
  running: number
}

/** A delivery, to be tried when it says so. Its place is that of its audit entry; those from before the log was a chain were first. */
export function waitingAs(delivery: StoredDelivery, position = 0): Waiting {
  return { delivery, position, dueAt: Date.parse(delivery.nextAttemptAt ?? delivery.createdAt) }
}

/** What distinguishes lanes. */
export function laneKey({ receiver, _feature = '' }: StoredDelivery): string {
  return `${receiver} ${_feature}`
}

/** Puts a message in its place. Nearly always, that is the last one. */
export function insert(waiting: Waiting[], added: Waiting): void {
  const before = waiting.findLastIndex(({ position }) => position <= added.position)
  waiting.splice(before + 1, 0, added)
}
