import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Resolution, User } from '@burgee/core'
import { errorMessage } from '../lib/text.ts'
import { escapeInvisible } from '../visible.ts'
import { EvaluationCounters } from './evaluationCounters.ts'
import type { BatchEvent, EventUser, Payload } from './event.ts'
import { EventBuffer, MAX_PAYLOAD_EVENTS, type QueueLimits, toUserEvent } from './eventBuffer.ts'
import { ExposureTracker, type SplitResolution } from './exposureTracker.ts'
import type { TrackedEvent } from './recorder.ts'
import type { PooledString } from './stringPool.ts'

/** The longest name of a flag that is counted though there is no such flag. */
const MAX_UNKNOWN_KEY_LENGTH = 1_000

/** What waits to be sent: events one by one, and evaluations counted. It is bounded, and what it has no room for is dropped. */
export class EventQueue {
  readonly #limits: QueueLimits
  readonly #warn: (message: string) => void
  readonly #aggregates: EvaluationCounters
  readonly #waiting: EventBuffer
  readonly #exposed = new ExposureTracker()
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
    this.#waiting = new EventBuffer(limits)
    this.#aggregates = new EvaluationCounters(limits.events)
  }

  /** Counts an evaluation. */
  countEvaluation(key: string, resolution: Resolution, isDefaulted: boolean): void {
    if (resolution.status === 'unknown' && key.length > MAX_UNKNOWN_KEY_LENGTH) return
    if (this.#aggregates.increment(key, resolution, isDefaulted)) return
    this.#tell(`evaluations of flags that do not exist are not counted: ${this.#limits.events} of them are already`)
  }

  /** Adds an event that the application tracks. `underWay` others were taken from here and are not delivered yet. */
  addTracked(tracking: TrackedEvent, underWay: number): void {
    const { name, user, featureVars } = tracking
    const { user_id } = user
    if (!user_id) {
      this.#dropOfNobody(name)
      return
    }
    if (!this.#waiting.makeRoom(underWay)) {
      this.#overflow(String(this.#limits.events))
      return
    }
    try {
      const event = JSON.stringify(toEvent(tracking, user_id, new Date().toISOString()))
      const texts = { user: JSON.stringify(withoutPrivateData(user)), event, served: JSON.stringify(featureVars) }
      if (!this.#waiting.add(texts)) this.#overflow(`${this.#limits.bytes} bytes`)
    } catch (error) {
      this.#warn(
        escapeInvisible(
          `the event ${JSON.stringify(name)} is dropped: its details are not JSON: ${errorMessage(error)}`
        )
      )
    }
  }

  /** Adds that a user was served something, if that is news and there is room. What is dropped is news the next time. */
  addExposure(key: string, user_id: string, resolution: SplitResolution, { underWay, at }: ExposureMoment): boolean {
    // First, and cheap: where there is no room, every evaluation comes here.
    if (!this.#waiting.hasRoom(underWay)) return false
    const forget = this.#exposed.add(user_id, resolution, at)
    if (!forget) return false
    const { _id, _variation } = resolution.feature
    const date = new Date(at).toISOString()
    const event: BatchEvent = { type: 'variableEvaluated', target: key, user_id, date, clientDate: date, value: 0 }
    const served = JSON.stringify({ [_id]: _variation })
    const texts = { user: JSON.stringify({ user_id }), event: JSON.stringify(event), served }
    if (this.#waiting.addExposure(texts, forget)) return true
    forget()
    return false
  }

  /** Whether there is as much as goes out at once. */
  get hasFullPayload(): boolean {
    return this.#waiting.hasFullPayload
  }

  /** Takes out what goes into one request, if there is anything. */
  next(): Payload | undefined {
    const events = this.#waiting.take()
    const room = MAX_PAYLOAD_EVENTS - events.length
    const user = JSON.stringify(this.#client)
    for (const event of this.#aggregates.take(room, this.#client.user_id, new Date().toISOString())) {
      events.push(toUserEvent(user, JSON.stringify(event), NO_FEATURE_VARS))
    }
    if (events.length > 0) return { id: randomUUID(), events }
    this.#told.clear()
    return undefined
  }

  /** Forgets everything, and says how many events that were. */
  clear(): number {
    const left = this.#waiting.size + this.#aggregates.size
    while (this.#waiting.size > 0) this.#waiting.take()
    this.#exposed.clear()
    this.#aggregates.clear()
    this.#told.clear()
    this.#hasToldOfNobody = false
    return left
  }

  #overflow(many: string): void {
    this.#tell(`events are dropped: ${many} wait to be delivered already`)
  }

  /** Applications track for visitors whom nobody knows, which is one mistake and not many. */
  #dropOfNobody(name: string): void {
    if (this.#hasToldOfNobody) return
    this.#hasToldOfNobody = true
    const others = 'and so are all others whose evaluation context has no targetingKey'
    this.#warn(escapeInvisible(`the event ${JSON.stringify(name)} is dropped, ${others}`))
  }

  #tell(message: string): void {
    if (this.#told.has(message)) return
    this.#told.add(message)
    this.#warn(message)
  }
}

/** When something happened, in epoch milliseconds, and how many events are under way by then. */
interface ExposureMoment {
  readonly at: number
  readonly underWay: number
}

const NO_FEATURE_VARS: PooledString = { text: '{}', bytes: 2 }

/** The event of something that an application tracks, as JSON spells its details. */
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

/** A user as events tell of them. */
function withoutPrivateData({ privateCustomData: _, ...user }: User): EventUser {
  return user
}
