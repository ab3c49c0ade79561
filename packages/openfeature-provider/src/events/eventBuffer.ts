import type { UserEvent } from './event.ts'
import { type PooledString, StringPool } from './stringPool.ts'

/** The maximum number of events in one request. */
export const MAX_PAYLOAD_EVENTS = 100

/** The maximum size of a request in bytes, unless a single event is larger. Servers accept twice as much. */
const MAX_PAYLOAD_BYTES = 4 * 1024 * 1024

/** The limits for queued events. */
export interface QueueLimits {
  readonly events: number
  /** Equal `featureVars` count once. */
  readonly bytes: number
}

/** An event as JSON. */
export interface SerializedEvent {
  readonly user: string
  readonly event: string
  /** Feature id → variation id. */
  readonly featureVars: string
}

/** Events that wait for delivery. Exposures are sent first, and are dropped to make room for tracked events. */
export class EventBuffer {
  readonly #limits: QueueLimits
  readonly #pool = new StringPool()
  #exposures: Exposure[] = []
  #events: UserEvent[] = []
  /** The memory in use, without `featureVars`. */
  #keptBytes = 0
  /** The size in requests. */
  #payloadBytes = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#exposures.length + this.#events.length
  }

  /** Whether the events fill a request. */
  get hasFullPayload(): boolean {
    return this.size >= MAX_PAYLOAD_EVENTS || this.#payloadBytes >= MAX_PAYLOAD_BYTES
  }

  /** Whether there is room for one more event, in addition to those in flight. */
  hasRoom(inFlight: number): boolean {
    return this.size + inFlight < this.#limits.events
  }

  /** Makes room for one more event by dropping an exposure if necessary. Returns whether there is room. */
  makeRoom(inFlight: number): boolean {
    return this.hasRoom(inFlight) || this.#dropExposure()
  }

  /** Adds an event. Returns false if it exceeds the limit. */
  add(serialized: SerializedEvent): boolean {
    while (!this.#fits(serialized)) if (!this.#dropExposure()) return false
    this.#events.push(this.#store(serialized))
    return true
  }

  /** Adds an exposure. Returns false if it exceeds the limit. `remove` is called if it is dropped later. */
  addExposure(serialized: SerializedEvent, remove: () => void): boolean {
    if (!this.#fits(serialized)) return false
    this.#exposures.push({ ...this.#store(serialized), remove })
    return true
  }

  /** Removes and returns the events of one request. */
  take(): UserEvent[] {
    let bytes = 0
    // Exposures first, because the server attributes later events to them.
    const candidates = [...this.#exposures.slice(0, MAX_PAYLOAD_EVENTS), ...this.#events.slice(0, MAX_PAYLOAD_EVENTS)]
    const end = candidates.findIndex((event, index) => {
      bytes += event.bytes
      return index >= MAX_PAYLOAD_EVENTS || (index > 0 && bytes > MAX_PAYLOAD_BYTES)
    })
    const taken = candidates.slice(0, end === -1 ? undefined : end)
    const exposureCount = this.#exposures.splice(0, taken.length).length
    this.#events.splice(0, taken.length - exposureCount)
    for (const event of taken) this.#release(event)
    return taken
  }

  #fits({ user, event, featureVars }: SerializedEvent): boolean {
    const itemBytes = Buffer.byteLength(user) + Buffer.byteLength(event)
    const addedBytes = itemBytes + (this.#pool.has(featureVars) ? 0 : Buffer.byteLength(featureVars))
    return this.#keptBytes + this.#pool.bytes + addedBytes <= this.#limits.bytes
  }

  #store({ user, event, featureVars }: SerializedEvent): UserEvent {
    const stored = toUserEvent(user, event, this.#pool.acquire(featureVars))
    this.#keptBytes += ownBytes(stored)
    this.#payloadBytes += stored.bytes
    return stored
  }

  #release(event: UserEvent): void {
    this.#pool.release(event.featureVars)
    this.#keptBytes -= ownBytes(event)
    this.#payloadBytes -= event.bytes
  }

  /** Drops an exposure. Returns false if there is none. */
  #dropExposure(): boolean {
    const exposure = this.#exposures.pop()
    if (!exposure) return false
    exposure.remove()
    this.#release(exposure)
    return true
  }
}

/** The event of an exposure. */
interface Exposure extends UserEvent {
  readonly remove: () => void
}

/** Creates an event with its size in a request. */
export function toUserEvent(user: string, event: string, featureVars: PooledString): UserEvent {
  const bytes = Buffer.byteLength(user) + Buffer.byteLength(event) + featureVars.bytes
  return { user, event, featureVars, bytes }
}

function ownBytes({ bytes, featureVars }: UserEvent): number {
  return bytes - featureVars.bytes
}
