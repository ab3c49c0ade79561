import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Resolution, User } from '@burgee/core'
import { messageOf } from '../messageOf.ts'
import type { Tracking } from '../recorder.ts'
import { visible } from '../visible.ts'
import { Aggregates } from './aggregates.ts'
import type { BatchEvent, EventUser, Payload, UserEvent } from './event.ts'
import { type SharedText, SharedTexts } from './sharedTexts.ts'

/** How many events go out in one request. */
const PAYLOAD_EVENTS = 100

/** How large a request may become in bytes, unless a single event is larger: servers take twice as much. */
const PAYLOAD_BYTES = 4 * 1024 * 1024

/** The longest name of a flag that is counted though there is no such flag. */
const MAX_UNKNOWN_KEY = 1_000

/** How much may wait. */
export interface QueueLimits {
  readonly events: number
  /** What users are served counts once for all events that say the same. */
  readonly bytes: number
}

/** What waits to be sent: events one by one, and evaluations counted. It is bounded, and what it has no room for is dropped. */
export class Queue {
  readonly #limits: QueueLimits
  readonly #warn: (message: string) => void
  readonly #aggregates: Aggregates
  readonly #served = new SharedTexts()
  #events: UserEvent[] = []
  /** What the events take here, besides what users are served. */
  #keptBytes = 0
  /** What they take of requests. */
  #sentBytes = 0
  /** What was told since it was last empty, and is told once. */
  readonly #told = new Set<string>()
  #hasToldOfNobody = false
  /** Who counts: one for each process, so that their counts can be told apart. */
  readonly #client: EventUser = {
    user_id: `${randomUUID()}@${hostname()}`,
    platform: 'NodeJS',
    platformVersion: process.version,
    sdkType: 'server'
  }

  constructor(limits: QueueLimits, warn: (message: string) => void) {
    this.#limits = limits
    this.#warn = warn
    this.#aggregates = new Aggregates(limits.events)
  }

  /** Counts an evaluation. */
  count(key: string, resolution: Resolution, isDefaulted: boolean): void {
    if (resolution.status === 'unknown' && key.length > MAX_UNKNOWN_KEY) return
    if (this.#aggregates.count(key, resolution, isDefaulted)) return
    this.#tell(`evaluations of flags that do not exist are not counted: ${this.#limits.events} of them are already`)
  }

  /** Adds an event that the application tracks. `underWay` others were taken from here and are not delivered yet. */
  add(tracking: Tracking, underWay: number): void {
    const { name, user, featureVars } = tracking
    const { user_id } = user
    if (!user_id) {
      this.#dropOfNobody(name)
      return
    }
    if (this.#events.length + underWay >= this.#limits.events) {
      this.#overflow(String(this.#limits.events))
      return
    }
    try {
      const event = JSON.stringify(toEvent(tracking, user_id, new Date().toISOString()))
      this.#keep(JSON.stringify(withoutPrivate(user)), event, JSON.stringify(featureVars))
    } catch (error) {
      this.#warn(visible(`the event ${JSON.stringify(name)} is dropped: its details are not JSON: ${messageOf(error)}`))
    }
  }

  /** Whether there is as much as goes out at once. */
  get hasFullPayload(): boolean {
    return this.#events.length >= PAYLOAD_EVENTS || this.#sentBytes >= PAYLOAD_BYTES
  }

  /** Takes out what goes into one request, if there is anything. */
  next(): Payload | undefined {
    const events = this.#take()
    const room = PAYLOAD_EVENTS - events.length
    const user = JSON.stringify(this.#client)
    for (const event of this.#aggregates.take(room, this.#client.user_id, new Date().toISOString())) {
      events.push(written(user, JSON.stringify(event), NOTHING_SERVED))
    }
    if (events.length > 0) return { id: randomUUID(), events }
    this.#told.clear()
    return undefined
  }

  /** Forgets everything, and says how many events that were. */
  clear(): number {
    const left = this.#events.length + this.#aggregates.size
    while (this.#events.length > 0) this.#take()
    this.#aggregates.clear()
    this.#told.clear()
    this.#hasToldOfNobody = false
    return left
  }

  #keep(user: string, event: string, served: string): void {
    const { bytes } = this.#limits
    const own = Buffer.byteLength(user) + Buffer.byteLength(event)
    const more = own + (this.#served.has(served) ? 0 : Buffer.byteLength(served))
    if (this.#keptBytes + this.#served.bytes + more > bytes) {
      this.#overflow(`${bytes} bytes`)
      return
    }
    const kept = written(user, event, this.#served.keep(served))
    this.#events.push(kept)
    this.#keptBytes += ownBytes(kept)
    this.#sentBytes += kept.bytes
  }

  /** Takes out the events of one request. */
  #take(): UserEvent[] {
    let bytes = 0
    const end = this.#events.findIndex((event, index) => {
      bytes += event.bytes
      return index >= PAYLOAD_EVENTS || (index > 0 && bytes > PAYLOAD_BYTES)
    })
    const taken = this.#events.splice(0, end === -1 ? this.#events.length : end)
    for (const event of taken) {
      this.#served.release(event.featureVars)
      this.#keptBytes -= ownBytes(event)
      this.#sentBytes -= event.bytes
    }
    return taken
  }

  #overflow(many: string): void {
    this.#tell(`events are dropped: ${many} wait to be delivered already`)
  }

  /** Applications track for visitors whom nobody knows, which is one mistake and not many. */
  #dropOfNobody(name: string): void {
    if (this.#hasToldOfNobody) return
    this.#hasToldOfNobody = true
    const others = 'and so are all others whose evaluation context has no targetingKey'
    this.#warn(visible(`the event ${JSON.stringify(name)} is dropped, ${others}`))
  }

  #tell(message: string): void {
    if (this.#told.has(message)) return
    this.#told.add(message)
    this.#warn(message)
  }
}

const NOTHING_SERVED: SharedText = { text: '{}', bytes: 2 }

function written(user: string, event: string, featureVars: SharedText): UserEvent {
  const bytes = Buffer.byteLength(user) + Buffer.byteLength(event) + featureVars.bytes
  return { user, event, featureVars, bytes }
}

function ownBytes({ bytes, featureVars }: UserEvent): number {
  return bytes - featureVars.bytes
}

/** The event of something that an application tracks, as JSON spells its details. */
function toEvent({ name, details }: Tracking, user_id: string, date: string): BatchEvent {
  const { value, ...rest } = details
  const metaData: Record<string, unknown> = JSON.parse(JSON.stringify(rest))
  return {
    type: 'customEvent',
    customType: name,
    user_id,
    date,
    clientDate: date,
    ...(typeof value === 'number' && Number.isFinite(value) && { value }),
    ...(Object.keys(metaData).length > 0 && { metaData })
  }
}

/** A user as events tell of them. */
function withoutPrivate({ privateCustomData: _, ...user }: User): EventUser {
  return user
}
