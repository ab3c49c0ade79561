import type { Receiver, StoredDelivery } from '../store/resources.ts'
import { insert, type Lane, type Line, laneKey, type Waiting } from './lane.ts'
import type { Trust } from './standing.ts'

/**
 * What is to be delivered, and what of it may be tried next. Of a lane only the first message is, until it is settled; receivers take turns,
 * and have few slots each. So one that hangs costs others nothing.
 */
export class Queue {
  readonly #trustIn: (receiver: Receiver) => Trust
  readonly #lanes = new Map<string, Lane>()
  readonly #lines = new Map<Receiver, Line>()
  readonly #ids = new Set<string>()
  /** Lanes whose first message is not due yet, as far as is known. */
  readonly #resting = new Set<Lane>()
  /** Receivers with a lane that is ready and a slot that is free; who has waited longest goes first. */
  readonly #ready = { trusted: new Set<Line>(), new: new Set<Line>(), failing: new Set<Line>() }
  readonly #running = { trusted: 0, new: 0, failing: 0 }
  /** How many messages of a project are tried at receivers that are not trusted. */
  readonly #occupied = new Map<string, number>()
  /** Whose turn it is; the first goes first. */
  #turns: readonly Trust[] = TRUSTS

  constructor(trustIn: (receiver: Receiver) => Trust) {
    this.#trustIn = trustIn
  }

  /** Whether a message is not settled. */
  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** Takes in a message, unless it is there. */
  add(added: Waiting, now: number): void {
    const { _id } = added.delivery
    if (this.#ids.has(_id)) return
    this.#ids.add(_id)
    const key = laneKey(added.delivery)
    const lane = this.#lanes.get(key) ?? this.#openLane(key, added.delivery)
    insert(lane.waiting, added)
    this.#place(lane, now)
  }

  /** The next message to try; it has a slot until it is finished. Nothing when none is due, or no slot is free. */
  next(now: number): Running | undefined {
    const line = this.#nextLine()
    const [lane] = line?.ready ?? []
    if (!line || !lane) return undefined
    const [first] = lane.waiting
    if (!first || first.dueAt > now) {
      // Put before one that was due since.
      this.#place(lane, now)
      return this.next(now)
    }
    lane.waiting.shift()
    lane.isRunning = true
    line.ready.delete(lane)
    line.running++
    const trust = this.#trustIn(line.receiver)
    this.#occupy(line, trust, 1)
    this.#ready[trust].delete(line)
    this.#offer(line)
    return { waiting: first, lane, trust }
  }

  /** Frees the slot of a message that is settled, or that waits `again`. */
  finish({ waiting, lane, trust }: Running, again: Waiting | undefined, now: number): void {
    this.#occupy(lane.line, trust, -1)
    lane.line.running--
    lane.isRunning = false
    if (again) insert(lane.waiting, again)
    else this.#ids.delete(waiting.delivery._id)
    this.#place(lane, now)
  }

  /** Looks at the clock: what has become due is ready. */
  wake(now: number): void {
    for (const lane of this.#resting) this.#place(lane, now)
  }

  /** Makes all messages of a receiver due. */
  hurry(receiver: Receiver, now: number): void {
    for (const lane of this.#lines.get(receiver)?.lanes ?? []) {
      for (const [at, waiting] of lane.waiting.entries()) lane.waiting[at] = { ...waiting, dueAt: now }
      this.#place(lane, now)
    }
  }

  /** Makes a message due, and those of its lane that go before it. Answers whether it waits: if not, it is being tried. */
  hurryTo(delivery: StoredDelivery, now: number): boolean {
    const lane = this.#lanes.get(laneKey(delivery))
    const last = lane?.waiting.findIndex((waiting) => waiting.delivery._id === delivery._id) ?? -1
    if (!lane || last < 0) return false
    for (const [at, waiting] of lane.waiting.slice(0, last + 1).entries()) lane.waiting[at] = { ...waiting, dueAt: now }
    this.#place(lane, now)
    return true
  }

  #nextLine(): Line | undefined {
    const { trusted, new: fresh, failing } = this.#running
    if (trusted + fresh + failing >= SLOTS) return undefined
    for (const trust of this.#turns) {
      const line = this.#fairest(this.#ready[trust], trust)
      if (!line || this.#running[trust] >= SLOTS_OF[trust]) continue
      this.#turns = [...this.#turns.filter((other) => other !== trust), trust]
      return line
    }
    return undefined
  }

  /** Of those that may hang, one of the project that has the fewest slots with such: whatever one project does, the others get their turns. */
  #fairest(ready: ReadonlySet<Line>, trust: Trust): Line | undefined {
    let [fairest] = ready
    if (trust === 'trusted') return fairest
    for (const line of ready) {
      if (this.#occupiedBy(line) === 0) return line
      if (fairest && this.#occupiedBy(line) < this.#occupiedBy(fairest)) fairest = line
    }
    return fairest
  }

  #occupiedBy({ project }: Line): number {
    return this.#occupied.get(project) ?? 0
  }

  #occupy(line: Line, trust: Trust, more: number): void {
    this.#running[trust] += more
    if (trust === 'trusted') return
    const occupied = this.#occupiedBy(line) + more
    if (occupied > 0) this.#occupied.set(line.project, occupied)
    else this.#occupied.delete(line.project)
  }

  #openLane(key: string, { receiver, _project: project }: StoredDelivery): Lane {
    const line = this.#lines.get(receiver) ?? { receiver, project, lanes: new Set(), ready: new Set(), running: 0 }
    const lane: Lane = { key, line, waiting: [], isRunning: false }
    this.#lines.set(receiver, line)
    this.#lanes.set(key, lane)
    line.lanes.add(lane)
    return lane
  }

  /** Puts a lane where it belongs by what is in it now. */
  #place(lane: Lane, now: number): void {
    const { line, waiting, isRunning } = lane
    const [first] = waiting
    const isReady = !isRunning && first !== undefined && first.dueAt <= now
    const isResting = !isRunning && first !== undefined && !isReady
    if (isReady) line.ready.add(lane)
    else line.ready.delete(lane)
    if (isResting) this.#resting.add(lane)
    else this.#resting.delete(lane)
    if (!isRunning && first === undefined) this.#closeLane(lane)
    this.#offer(line)
  }

  #closeLane(lane: Lane): void {
    this.#lanes.delete(lane.key)
    lane.line.lanes.delete(lane)
    if (lane.line.lanes.size === 0) this.#lines.delete(lane.line.receiver)
  }

  /** Has a receiver take its turns exactly while it has something that is ready, and a slot. */
  #offer(line: Line): void {
    const trust = this.#trustIn(line.receiver)
    const isOffered = line.ready.size > 0 && line.running < SLOTS_OF_ONE[trust]
    for (const other of TRUSTS) if (other !== trust || !isOffered) this.#ready[other].delete(line)
    if (isOffered) this.#ready[trust].add(line)
  }
}

/** A message that is being tried. */
export interface Running {
  readonly waiting: Waiting
  readonly lane: Lane
  /** Whose slot it has. */
  readonly trust: Trust
}

const TRUSTS = ['trusted', 'new', 'failing'] as const

/** How many messages are tried at the same time. */
const SLOTS = 32

/**
 * How many of them may be for such receivers. If all that fail hang, those that are new do not wait for them; if these hang too, half of the
 * slots are left to those that answer. Somebody who makes a thousand webhooks that hang only keeps other new ones waiting, and only once.
 */
const SLOTS_OF = { trusted: SLOTS, new: 4, failing: 12 } as const

/** How many may be for one receiver. */
const SLOTS_OF_ONE = { trusted: 4, new: 1, failing: 1 } as const
