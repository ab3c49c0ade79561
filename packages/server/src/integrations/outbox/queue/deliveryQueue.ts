import type { ReceiverId, StoredDelivery } from '../../../storage/resources/notification.ts'
import type { EndpointHealth } from './endpointHealth.ts'
import { type EndpointQueue, insertInOrder, type Partition, type PendingDelivery, partitionKey } from './partition.ts'

/**
 * The pending deliveries, and which of them may be attempted next. Only the first delivery of a partition may;
 * receivers take turns and have few slots each, so that a receiver that hangs does not delay the others.
 */
export class DeliveryQueue {
  readonly #healthOf: (receiver: ReceiverId) => EndpointHealth
  readonly #partitions = new Map<string, Partition>()
  readonly #endpointQueues = new Map<ReceiverId, EndpointQueue>()
  /** The ids of all pending deliveries. */
  readonly #ids = new Set<string>()
  /** Partitions whose first delivery was not due when last checked. */
  readonly #delayed = new Set<Partition>()
  /** Receivers with a ready partition and a free slot; the one that has waited longest comes first. */
  readonly #ready = {
    healthy: new Set<EndpointQueue>(),
    untested: new Set<EndpointQueue>(),
    failing: new Set<EndpointQueue>()
  }
  readonly #running = { healthy: 0, untested: 0, failing: 0 }
  /** The number of slots that each project occupies for receivers that are not healthy. */
  readonly #occupied = new Map<string, number>()
  /** Round robin: the state whose turn is next comes first. */
  #turns: readonly EndpointHealth[] = HEALTH_STATES

  constructor(healthOf: (receiver: ReceiverId) => EndpointHealth) {
    this.#healthOf = healthOf
  }

  /** Whether a delivery is pending. */
  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** Adds a delivery, unless it is queued already. */
  add(added: PendingDelivery, now: number): void {
    const { _id } = added.delivery
    if (this.#ids.has(_id)) return
    this.#ids.add(_id)
    const key = partitionKey(added.delivery)
    const partition = this.#partitions.get(key) ?? this.#createPartition(key, added.delivery)
    insertInOrder(partition.pending, added)
    this.#update(partition, now)
  }

  /**
   * Returns the next delivery to attempt, which occupies a slot until `finish`; `undefined` if none is due or no slot
   * is free.
   */
  next(now: number): InFlightDelivery | undefined {
    const endpointQueue = this.#nextEndpoint()
    const [partition] = endpointQueue?.ready ?? []
    if (!endpointQueue || !partition) return undefined
    const [first] = partition.pending
    if (!first || first.dueAt > now) {
      // A delivery with a lower position was inserted after the partition became ready.
      this.#update(partition, now)
      return this.next(now)
    }
    partition.pending.shift()
    partition.isInFlight = true
    endpointQueue.ready.delete(partition)
    endpointQueue.inFlight++
    const health = this.#healthOf(endpointQueue.receiver)
    this.#occupy(endpointQueue, health, 1)
    this.#ready[health].delete(endpointQueue)
    this.#offer(endpointQueue)
    return { pending: first, partition, health }
  }

  /** Frees the slot of an attempt. `retry` is the delivery if it is to be attempted again. */
  finish({ pending, partition, health }: InFlightDelivery, retry: PendingDelivery | undefined, now: number): void {
    this.#occupy(partition.endpointQueue, health, -1)
    partition.endpointQueue.inFlight--
    partition.isInFlight = false
    if (retry) insertInOrder(partition.pending, retry)
    else this.#ids.delete(pending.delivery._id)
    this.#update(partition, now)
  }

  /** Makes partitions ready whose first delivery has become due. */
  promoteDue(now: number): void {
    for (const partition of this.#delayed) this.#update(partition, now)
  }

  /** Makes all deliveries of a receiver due. */
  expedite(receiver: ReceiverId, now: number): void {
    for (const partition of this.#endpointQueues.get(receiver)?.partitions ?? []) {
      this.#makeDue(partition, partition.pending.length, now)
    }
  }

  /** Makes a delivery due, and those before it in its partition. Returns `false` if it is in flight. */
  expediteThrough(delivery: StoredDelivery, now: number): boolean {
    const { partition, index } = this.#find(delivery)
    if (!partition || index < 0) return false
    this.#makeDue(partition, index + 1, now)
    return true
  }

  /**
   * Returns the earliest time at which a delivery can be attempted, in epoch milliseconds: not before the deliveries
   * before it in its partition. Returns `undefined` for a delivery that is in flight or not pending.
   */
  earliestAttempt(delivery: StoredDelivery, now: number): number | undefined {
    const { partition, index } = this.#find(delivery)
    if (!partition || index < 0) return undefined
    const earliest = Math.max(...partition.pending.slice(0, index + 1).map(({ dueAt }) => dueAt))
    return index > 0 || partition.isInFlight ? Math.max(earliest, now) : earliest
  }

  #find(delivery: StoredDelivery): { readonly partition: Partition | undefined; readonly index: number } {
    const partition = this.#partitions.get(partitionKey(delivery))
    const index = partition?.pending.findIndex((pending) => pending.delivery._id === delivery._id) ?? -1
    return { partition, index }
  }

  #makeDue(partition: Partition, count: number, now: number): void {
    for (const [index, pending] of partition.pending.slice(0, count).entries()) {
      partition.pending[index] = { ...pending, dueAt: now }
    }
    this.#update(partition, now)
  }

  #nextEndpoint(): EndpointQueue | undefined {
    const { healthy, untested, failing } = this.#running
    if (healthy + untested + failing >= SLOTS) return undefined
    for (const health of this.#turns) {
      const endpointQueue = this.#fairest(this.#ready[health], health)
      if (!endpointQueue || this.#running[health] >= SLOTS_BY_HEALTH[health]) continue
      this.#turns = [...this.#turns.filter((other) => other !== health), health]
      return endpointQueue
    }
    return undefined
  }

  /**
   * Of receivers that may hang, selects one of the project that occupies the fewest slots, so that projects share them
   * fairly.
   */
  #fairest(ready: ReadonlySet<EndpointQueue>, health: EndpointHealth): EndpointQueue | undefined {
    let [fairest] = ready
    if (health === 'healthy') return fairest
    for (const endpointQueue of ready) {
      if (this.#occupiedBy(endpointQueue) === 0) return endpointQueue
      if (fairest && this.#occupiedBy(endpointQueue) < this.#occupiedBy(fairest)) fairest = endpointQueue
    }
    return fairest
  }

  #occupiedBy({ project }: EndpointQueue): number {
    return this.#occupied.get(project) ?? 0
  }

  #occupy(endpointQueue: EndpointQueue, health: EndpointHealth, change: 1 | -1): void {
    this.#running[health] += change
    if (health === 'healthy') return
    const occupied = this.#occupiedBy(endpointQueue) + change
    if (occupied > 0) this.#occupied.set(endpointQueue.project, occupied)
    else this.#occupied.delete(endpointQueue.project)
  }

  #createPartition(key: string, { receiver, _project: project }: StoredDelivery): Partition {
    const endpointQueue = this.#endpointQueues.get(receiver) ?? {
      receiver,
      project,
      partitions: new Set(),
      ready: new Set(),
      inFlight: 0
    }
    const partition: Partition = { key, endpointQueue, pending: [], isInFlight: false }
    this.#endpointQueues.set(receiver, endpointQueue)
    this.#partitions.set(key, partition)
    endpointQueue.partitions.add(partition)
    return partition
  }

  /** Updates the sets that a partition belongs to after its deliveries have changed. */
  #update(partition: Partition, now: number): void {
    const { endpointQueue, pending, isInFlight } = partition
    const [first] = pending
    const isReady = !isInFlight && first !== undefined && first.dueAt <= now
    const isDelayed = !isInFlight && first !== undefined && !isReady
    if (isReady) endpointQueue.ready.add(partition)
    else endpointQueue.ready.delete(partition)
    if (isDelayed) this.#delayed.add(partition)
    else this.#delayed.delete(partition)
    if (!isInFlight && first === undefined) this.#deletePartition(partition)
    this.#offer(endpointQueue)
  }

  #deletePartition(partition: Partition): void {
    this.#partitions.delete(partition.key)
    partition.endpointQueue.partitions.delete(partition)
    if (partition.endpointQueue.partitions.size === 0) this.#endpointQueues.delete(partition.endpointQueue.receiver)
  }

  /** Lists a receiver as ready exactly while it has a ready partition and a free slot. */
  #offer(endpointQueue: EndpointQueue): void {
    const health = this.#healthOf(endpointQueue.receiver)
    const isOffered = endpointQueue.ready.size > 0 && endpointQueue.inFlight < SLOTS_PER_ENDPOINT[health]
    for (const other of HEALTH_STATES) if (other !== health || !isOffered) this.#ready[other].delete(endpointQueue)
    if (isOffered) this.#ready[health].add(endpointQueue)
  }
}

/** A delivery that is being attempted. */
export interface InFlightDelivery {
  readonly pending: PendingDelivery
  readonly partition: Partition
  /** The health of the receiver when the attempt began, whose slot it occupies. */
  readonly health: EndpointHealth
}

const HEALTH_STATES = ['healthy', 'untested', 'failing'] as const

/** The number of concurrent attempts. */
const SLOTS = 32

/**
 * The maximum number of slots for receivers of each health. If all failing receivers hang, untested ones do not wait
 * for them; if untested ones hang too, half of the slots remain for healthy ones. A thousand new webhooks that hang
 * delay only other new ones, and only once.
 */
const SLOTS_BY_HEALTH = { healthy: SLOTS, untested: 4, failing: 12 } as const

/** The number of concurrent attempts at one receiver. */
const SLOTS_PER_ENDPOINT = { healthy: 4, untested: 1, failing: 1 } as const
