import type { ReceiverId, StoredDelivery } from '../../../storage/resources.ts'
import type { EndpointHealth } from './endpointHealth.ts'
import { type EndpointQueue, insertInOrder, type Partition, type PendingDelivery, partitionKey } from './partition.ts'

/**
 * What is to be delivered, and what of it may be tried next. Of a lane only the first message is, until it is settled; receivers take turns,
 * and have few slots each. So one that hangs costs others nothing.
 */
export class DeliveryQueue {
  readonly #trustIn: (receiver: ReceiverId) => EndpointHealth
  readonly #lanes = new Map<string, Partition>()
  readonly #lines = new Map<ReceiverId, EndpointQueue>()
  readonly #ids = new Set<string>()
  /** Lanes whose first message is not due yet, as far as is known. */
  readonly #resting = new Set<Partition>()
  /** Receivers with a lane that is ready and a slot that is free; who has waited longest goes first. */
  readonly #ready = {
    trusted: new Set<EndpointQueue>(),
    new: new Set<EndpointQueue>(),
    failing: new Set<EndpointQueue>()
  }
  readonly #running = { trusted: 0, new: 0, failing: 0 }
  /** How many messages of a project are tried at receivers that are not trusted. */
  readonly #occupied = new Map<string, number>()
  /** Whose turn it is; the first goes first. */
  #turns: readonly EndpointHealth[] = HEALTH_STATES

  constructor(trustIn: (receiver: ReceiverId) => EndpointHealth) {
    this.#trustIn = trustIn
  }

  /** Whether a message is not settled. */
  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** Takes in a message, unless it is there. */
  add(added: PendingDelivery, now: number): void {
    const { _id } = added.delivery
    if (this.#ids.has(_id)) return
    this.#ids.add(_id)
    const key = partitionKey(added.delivery)
    const lane = this.#lanes.get(key) ?? this.#openLane(key, added.delivery)
    insertInOrder(lane.pending, added)
    this.#place(lane, now)
  }

  /** The next message to try; it has a slot until it is finished. Nothing when none is due, or no slot is free. */
  next(now: number): InFlightDelivery | undefined {
    const line = this.#nextLine()
    const [partition] = line?.ready ?? []
    if (!line || !partition) return undefined
    const [first] = partition.pending
    if (!first || first.dueAt > now) {
      // Put before one that was due since.
      this.#place(partition, now)
      return this.next(now)
    }
    partition.pending.shift()
    partition.isInFlight = true
    line.ready.delete(partition)
    line.inFlight++
    const health = this.#trustIn(line.receiver)
    this.#occupy(line, health, 1)
    this.#ready[health].delete(line)
    this.#offer(line)
    return { pending: first, partition, health }
  }

  /** Frees the slot of a message that is settled, or that waits `again`. */
  finish({ pending, partition, health }: InFlightDelivery, again: PendingDelivery | undefined, now: number): void {
    this.#occupy(partition.endpointQueue, health, -1)
    partition.endpointQueue.inFlight--
    partition.isInFlight = false
    if (again) insertInOrder(partition.pending, again)
    else this.#ids.delete(pending.delivery._id)
    this.#place(partition, now)
  }

  /** Looks at the clock: what has become due is ready. */
  promoteDue(now: number): void {
    for (const lane of this.#resting) this.#place(lane, now)
  }

  /** Makes all messages of a receiver due. */
  expedite(receiver: ReceiverId, now: number): void {
    for (const lane of this.#lines.get(receiver)?.partitions ?? []) {
      for (const [at, waiting] of lane.pending.entries()) lane.pending[at] = { ...waiting, dueAt: now }
      this.#place(lane, now)
    }
  }

  /** Makes a message due, and those of its lane that go before it. Answers whether it waits: if not, it is being tried. */
  expediteThrough(delivery: StoredDelivery, now: number): boolean {
    const lane = this.#lanes.get(partitionKey(delivery))
    const last = lane?.pending.findIndex((waiting) => waiting.delivery._id === delivery._id) ?? -1
    if (!lane || last < 0) return false
    for (const [at, waiting] of lane.pending.slice(0, last + 1).entries()) lane.pending[at] = { ...waiting, dueAt: now }
    this.#place(lane, now)
    return true
  }

  #nextLine(): EndpointQueue | undefined {
    const { trusted, new: fresh, failing } = this.#running
    if (trusted + fresh + failing >= SLOTS) return undefined
    for (const trust of this.#turns) {
      const line = this.#fairest(this.#ready[trust], trust)
      if (!line || this.#running[trust] >= SLOTS_BY_HEALTH[trust]) continue
      this.#turns = [...this.#turns.filter((other) => other !== trust), trust]
      return line
    }
    return undefined
  }

  /** Of those that may hang, one of the project that has the fewest slots with such: whatever one project does, the others get their turns. */
  #fairest(ready: ReadonlySet<EndpointQueue>, trust: EndpointHealth): EndpointQueue | undefined {
    let [fairest] = ready
    if (trust === 'trusted') return fairest
    for (const line of ready) {
      if (this.#occupiedBy(line) === 0) return line
      if (fairest && this.#occupiedBy(line) < this.#occupiedBy(fairest)) fairest = line
    }
    return fairest
  }

  #occupiedBy({ project }: EndpointQueue): number {
    return this.#occupied.get(project) ?? 0
  }

  #occupy(line: EndpointQueue, trust: EndpointHealth, more: number): void {
    this.#running[trust] += more
    if (trust === 'trusted') return
    const occupied = this.#occupiedBy(line) + more
    if (occupied > 0) this.#occupied.set(line.project, occupied)
    else this.#occupied.delete(line.project)
  }

  #openLane(key: string, { receiver, _project: project }: StoredDelivery): Partition {
    const endpointQueue = this.#lines.get(receiver) ?? {
      receiver,
      project,
      partitions: new Set(),
      ready: new Set(),
      inFlight: 0
    }
    const lane: Partition = { key, endpointQueue, pending: [], isInFlight: false }
    this.#lines.set(receiver, endpointQueue)
    this.#lanes.set(key, lane)
    endpointQueue.partitions.add(lane)
    return lane
  }

  /** Puts a lane where it belongs by what is in it now. */
  #place(lane: Partition, now: number): void {
    const { endpointQueue, pending, isInFlight } = lane
    const [first] = pending
    const isReady = !isInFlight && first !== undefined && first.dueAt <= now
    const isResting = !isInFlight && first !== undefined && !isReady
    if (isReady) endpointQueue.ready.add(lane)
    else endpointQueue.ready.delete(lane)
    if (isResting) this.#resting.add(lane)
    else this.#resting.delete(lane)
    if (!isInFlight && first === undefined) this.#closeLane(lane)
    this.#offer(endpointQueue)
  }

  #closeLane(lane: Partition): void {
    this.#lanes.delete(lane.key)
    lane.endpointQueue.partitions.delete(lane)
    if (lane.endpointQueue.partitions.size === 0) this.#lines.delete(lane.endpointQueue.receiver)
  }

  /** Has a receiver take its turns exactly while it has something that is ready, and a slot. */
  #offer(line: EndpointQueue): void {
    const trust = this.#trustIn(line.receiver)
    const isOffered = line.ready.size > 0 && line.inFlight < SLOTS_PER_ENDPOINT[trust]
    for (const other of HEALTH_STATES) if (other !== trust || !isOffered) this.#ready[other].delete(line)
    if (isOffered) this.#ready[trust].add(line)
  }
}

/** A message that is being tried. */
export interface InFlightDelivery {
  readonly pending: PendingDelivery
  readonly partition: Partition
  /** Whose slot it has. */
  readonly health: EndpointHealth
}

const HEALTH_STATES = ['trusted', 'new', 'failing'] as const

/** How many messages are tried at the same time. */
const SLOTS = 32

/**
 * How many of them may be for such receivers. If all that fail hang, those that are new do not wait for them; if these hang too, half of the
 * slots are left to those that answer. Somebody who makes a thousand webhooks that hang only keeps other new ones waiting, and only once.
 */
const SLOTS_BY_HEALTH = { trusted: SLOTS, new: 4, failing: 12 } as const

/** How many may be for one receiver. */
const SLOTS_PER_ENDPOINT = { trusted: 4, new: 1, failing: 1 } as const
