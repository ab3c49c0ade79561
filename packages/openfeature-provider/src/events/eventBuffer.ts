import type { UserEvent } from './event.ts'
import { type PooledString, StringPool } from './stringPool.ts'

/** How many events go out in one request. */
export const MAX_PAYLOAD_EVENTS = 100

/** How large a request may become in bytes, unless a single event is larger: servers take twice as much. */
const MAX_PAYLOAD_BYTES = 4 * 1024 * 1024

/** How much may wait. */
export interface QueueLimits {
  readonly events: number
  /** What users are served counts once for all events that say the same. */
  readonly bytes: number
}

/** An event, as JSON texts. */
export interface SerializedEvent {
  readonly user: string
  readonly event: string
  /** Feature id → variation id. */
  readonly featureVars: string
}

/** Events that wait one by one. Those that say who was served what go out first, and are given up for others where there is no room. */
export class EventBuffer {
  readonly #limits: QueueLimits
  readonly #served = new StringPool()
  #exposures: Exposure[] = []
  #events: UserEvent[] = []
  /** What they take here, besides what users are served. */
  #keptBytes = 0
  /** What they take of requests. */
  #sentBytes = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#exposures.length + this.#events.length
  }

  /** Whether there is as much as goes out at once. */
  get hasFullPayload(): boolean {
    return this.size >= MAX_PAYLOAD_EVENTS || this.#sentBytes >= MAX_PAYLOAD_BYTES
  }

  /** Whether there is room for one more event beside those that are under way. */
  hasRoom(underWay: number): boolean {
    return this.size + underWay < this.#limits.events
  }

  /** Whether there is room for one more event, after an exposure was given up for it if need be. */
  makeRoom(underWay: number): boolean {
    return this.hasRoom(underWay) || this.#giveUp()
  }

  /** Adds an event. False where it is too large for the room that is left. */
  add(texts: SerializedEvent): boolean {
    while (!this.#fits(texts)) if (!this.#giveUp()) return false
    this.#events.push(this.#keep(texts))
    return true
  }

  /** Adds that a user was served something, if it is small enough for the room that is left; `forget` is called when it is given up. */
  addExposure(texts: SerializedEvent, forget: () => void): boolean {
    if (!this.#fits(texts)) return false
    this.#exposures.push({ ...this.#keep(texts), forget })
    return true
  }

  /** Takes out the events of one request. */
  take(): UserEvent[] {
    let bytes = 0
    // The server has to know what users were served before it learns what they did then.
    const first = [...this.#exposures.slice(0, MAX_PAYLOAD_EVENTS), ...this.#events.slice(0, MAX_PAYLOAD_EVENTS)]
    const end = first.findIndex((event, index) => {
      bytes += event.bytes
      return index >= MAX_PAYLOAD_EVENTS || (index > 0 && bytes > MAX_PAYLOAD_BYTES)
    })
    const taken = first.slice(0, end === -1 ? undefined : end)
    const exposed = this.#exposures.splice(0, taken.length).length
    this.#events.splice(0, taken.length - exposed)
    for (const event of taken) this.#release(event)
    return taken
  }

  #fits({ user, event, featureVars: served }: SerializedEvent): boolean {
    const own = Buffer.byteLength(user) + Buffer.byteLength(event)
    const more = own + (this.#served.has(served) ? 0 : Buffer.byteLength(served))
    return this.#keptBytes + this.#served.bytes + more <= this.#limits.bytes
  }

  #keep({ user, event, featureVars: served }: SerializedEvent): UserEvent {
    const kept = toUserEvent(user, event, this.#served.acquire(served))
    this.#keptBytes += ownBytes(kept)
    this.#sentBytes += kept.bytes
    return kept
  }

  #release(event: UserEvent): void {
    this.#served.release(event.featureVars)
    this.#keptBytes -= ownBytes(event)
    this.#sentBytes -= event.bytes
  }

  /** Drops an exposure, if there is one. */
  #giveUp(): boolean {
    const exposure = this.#exposures.pop()
    if (!exposure) return false
    exposure.forget()
    this.#release(exposure)
    return true
  }
}

/** That a user was served something. */
interface Exposure extends UserEvent {
  readonly forget: () => void
}

/** An event with what it takes of a request. */
export function toUserEvent(user: string, event: string, featureVars: PooledString): UserEvent {
  const bytes = Buffer.byteLength(user) + Buffer.byteLength(event) + featureVars.bytes
  return { user, event, featureVars, bytes }
}

function ownBytes({ bytes, featureVars }: UserEvent): number {
  return bytes - featureVars.bytes
}
