import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Resolution, User } from '@burgee/core'
import { messageOf } from '../messageOf.ts'
import type { Tracking } from '../recorder.ts'
import { Aggregates } from './aggregates.ts'
import type { EventUser, Payload, UserEvent } from './event.ts'

/** The most events that the server takes in one request. */
const MAX_EVENTS = 100

/** What waits to be sent: events one by one, and evaluations counted. It is bounded, and what it has no room for is dropped. */
export class Queue {
  readonly #limit: number
  readonly #warn: (message: string) => void
  readonly #aggregates: Aggregates
  #events: UserEvent[] = []
  /** Whether something was dropped since it was last empty, which is told once. */
  #isOverflowing = false
  /** Who counts: one for each process, so that their counts can be told apart. */
  readonly #client: EventUser = {
    user_id: `${randomUUID()}@${hostname()}`,
    platform: 'NodeJS',
    platformVersion: process.version,
    sdkType: 'server'
  }

  constructor(limit: number, warn: (message: string) => void) {
    this.#limit = limit
    this.#warn = warn
    this.#aggregates = new Aggregates(limit)
  }

  /** Counts an evaluation. */
  count(key: string, resolution: Resolution, isDefaulted: boolean): void {
    if (!this.#aggregates.count(key, resolution, isDefaulted)) this.#overflow()
  }

  /** Adds an event that the application tracks. `underWay` others were taken from here and are not delivered yet. */
  add({ name, user, details, featureVars }: Tracking, underWay: number): void {
    const { user_id } = user
    if (!user_id) {
      this.#warn(`the event ${JSON.stringify(name)} is dropped: its evaluation context has no targetingKey`)
      return
    }
    if (this.#events.length + underWay >= this.#limit) {
      this.#overflow()
      return
    }
    try {
      const { value, ...rest } = details
      // Read now: the application may change what it handed in, and what cannot be written must not hold up the others.
      const metaData: Record<string, unknown> = JSON.parse(JSON.stringify(rest))
      const date = new Date().toISOString()
      this.#events.push({
        user: withoutPrivate(user),
        event: {
          type: 'customEvent',
          customType: name,
          user_id,
          date,
          clientDate: date,
          ...(typeof value === 'number' && Number.isFinite(value) && { value }),
          featureVars,
          ...(Object.keys(metaData).length > 0 && { metaData })
        }
      })
    } catch (error) {
      this.#warn(`the event ${JSON.stringify(name)} is dropped: its details are not JSON: ${messageOf(error)}`)
    }
  }

  /** Whether there are as many events as go out at once. */
  get hasFullPayload(): boolean {
    return this.#events.length >= MAX_EVENTS
  }

  /** Takes out what goes into one request, if there is anything. */
  next(): Payload | undefined {
    const events = this.#events.splice(0, MAX_EVENTS)
    const room = MAX_EVENTS - events.length
    for (const event of this.#aggregates.take(room, this.#client.user_id, new Date().toISOString())) {
      events.push({ user: this.#client, event })
    }
    if (events.length > 0) return { id: randomUUID(), events }
    this.#isOverflowing = false
    return undefined
  }

  /** Forgets everything, and says how many events that were. */
  clear(): number {
    const left = this.#events.length + this.#aggregates.size
    this.#events = []
    this.#aggregates.clear()
    this.#isOverflowing = false
    return left
  }

  #overflow(): void {
    if (!this.#isOverflowing) this.#warn(`events are dropped: ${this.#limit} wait to be delivered already`)
    this.#isOverflowing = true
  }
}

/** A user as events tell of them. */
function withoutPrivate({ privateCustomData: _, ...user }: User): EventUser {
  return user
}
