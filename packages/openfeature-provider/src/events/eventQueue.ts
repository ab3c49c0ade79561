import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Resolution, User } from '@burgee/core'
import { escapeLine } from '@burgee/kit/text'
import { errorMessage } from '../lib/text.ts'
import { EvaluationCounters } from './evaluationCounters.ts'
import type { BatchEvent, EventUser, Payload } from './event.ts'
import { EventBuffer, MAX_PAYLOAD_EVENTS, type QueueLimits, toUserEvent } from './eventBuffer.ts'
import { ExposureTracker, type SplitResolution } from './exposureTracker.ts'
import type { TrackedEvent } from './recorder.ts'
import type { PooledString } from './stringPool.ts'

/** The maximum length of the key of an unknown flag that is counted. */
const MAX_UNKNOWN_KEY_LENGTH = 1_000

/** The queued events and counters. The queue is bounded: events that exceed its limits are dropped. */
export class EventQueue {
  readonly #limits: QueueLimits
  readonly #warn: (message: string) => void
  readonly #now: () => number
  readonly #counters: EvaluationCounters
  readonly #buffer: EventBuffer
  readonly #exposures = new ExposureTracker()
  /** The warnings since the queue was last empty. Each is logged once. */
  readonly #warnings = new Set<string>()
  #hasWarnedOfAnonymous = false
  /** Identifies this process, so that the server can distinguish its counters from those of other processes. */
  readonly #client: EventUser = {
    user_id: `${randomUUID()}@${hostname()}`,
    platform: 'NodeJS',
    platformVersion: process.version,
    sdkType: 'server'
  }

  constructor(limits: QueueLimits, warn: (message: string) => void, now: () => number) {
    this.#limits = limits
    this.#warn = warn
    this.#now = now
    this.#buffer = new EventBuffer(limits)
    this.#counters = new EvaluationCounters(limits.events)
  }

  /** Counts an evaluation. */
  countEvaluation(key: string, resolution: Resolution, isDefaulted: boolean): void {
    if (resolution.status === 'unknown' && key.length > MAX_UNKNOWN_KEY_LENGTH) return
    if (this.#counters.increment(key, resolution, isDefaulted)) return
    this.#warnOnce(`evaluations of further unknown flags are not counted (limit: ${this.#limits.events} unknown flags)`)
  }

  /** Adds a tracked event. `inFlight` is the number of events that were removed and are not delivered yet. */
  addTracked(tracking: TrackedEvent, inFlight: number): void {
    const { name, user, featureVars } = tracking
    const { user_id } = user
    if (!user_id) {
      this.#dropAnonymous(name)
      return
    }
    if (!this.#buffer.makeRoom(inFlight)) {
      this.#overflow(`${this.#limits.events} events`)
      return
    }
    try {
      const event = JSON.stringify(toEvent(tracking, user_id, this.#date()))
      const serialized = {
        user: JSON.stringify(withoutPrivateData(user)),
        event,
        featureVars: JSON.stringify(featureVars)
      }
      if (!this.#buffer.add(serialized)) this.#overflow(`${this.#limits.bytes} bytes`)
    } catch (error) {
      this.#warn(
        escapeLine(`the event ${JSON.stringify(name)} is dropped: its details are not JSON: ${errorMessage(error)}`)
      )
    }
  }

  /** Adds an exposure if it is new and there is room. A dropped exposure counts as new again. */
  addExposure(key: string, user_id: string, resolution: SplitResolution, inFlight: number): boolean {
    // Checked first, because it is cheap and every evaluation gets here while the queue is full.
    if (!this.#buffer.hasRoom(inFlight)) {
      this.#dropExposures()
      return false
    }
    const at = this.#now()
    const remove = this.#exposures.add(user_id, resolution, at)
    if (!remove) return false
    const { _id, _variation } = resolution.feature
    const date = new Date(at).toISOString()
    const event: BatchEvent = { type: 'variableEvaluated', target: key, user_id, date, clientDate: date, value: 0 }
    const featureVars = JSON.stringify({ [_id]: _variation })
    const serialized = { user: JSON.stringify({ user_id }), event: JSON.stringify(event), featureVars }
    const drop = () => {
      remove()
      this.#dropExposures()
    }
    if (this.#buffer.addExposure(serialized, drop)) return true
    drop()
    return false
  }

  /** Whether the events fill a request. */
  get hasFullPayload(): boolean {
    return this.#buffer.hasFullPayload
  }

  /** Removes and returns the events of one request, if there are any. */
  next(): Payload | undefined {
    const events = this.#buffer.take()
    const room = MAX_PAYLOAD_EVENTS - events.length
    const user = JSON.stringify(this.#client)
    for (const event of this.#counters.take(room, this.#client.user_id, this.#date())) {
      events.push(toUserEvent(user, JSON.stringify(event), NO_FEATURE_VARS))
    }
    if (events.length > 0) return { id: randomUUID(), events }
    this.#warnings.clear()
    return undefined
  }

  /** Removes everything. Returns the number of events. */
  clear(): number {
    const count = this.#buffer.size + this.#counters.size
    while (this.#buffer.size > 0) this.#buffer.take()
    this.#exposures.clear()
    this.#counters.clear()
    this.#warnings.clear()
    this.#hasWarnedOfAnonymous = false
    return count
  }

  #date(): string {
    return new Date(this.#now()).toISOString()
  }

  #dropExposures(): void {
    this.#warnOnce('exposures are dropped: too many events wait for delivery')
  }

  #overflow(limit: string): void {
    this.#warnOnce(`events are dropped (limit: ${limit} waiting for delivery)`)
  }

  /** Warns once, because tracking anonymous users is a single mistake of the application. */
  #dropAnonymous(name: string): void {
    if (this.#hasWarnedOfAnonymous) return
    this.#hasWarnedOfAnonymous = true
    this.#warn(escapeLine(`events without a targetingKey are dropped, such as ${JSON.stringify(name)}`))
  }

  #warnOnce(message: string): void {
    if (this.#warnings.has(message)) return
    this.#warnings.add(message)
    this.#warn(message)
  }
}

const NO_FEATURE_VARS: PooledString = { text: '{}', bytes: 2 }

/** Converts a tracked event, with a JSON copy of its details. */
function toEvent({ name, details }: TrackedEvent, user_id: string, date: string): BatchEvent {
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

/** Returns the user without private data. */
function withoutPrivateData({ privateCustomData: _, ...user }: User): EventUser {
  return user
}
