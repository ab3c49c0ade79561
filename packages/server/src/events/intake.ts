import { MAX_EVENTS, MAX_IDEMPOTENCY_KEY, MAX_MISTAKES, show } from '@burgee/contract'
import { breathe } from '../breathe.ts'
import type { TrackedEvent, TrackedReport } from '../eventStore/entry.ts'
import { isObject } from '../isObject.ts'
import type { Validate } from '../validate.ts'
import { countValues, showAny } from './form.ts'
import { type Keys, withoutKey, withoutKeys } from './keys.ts'
import type { Mistake, Path, Tell } from './mistake.ts'
import { readEvent } from './readEvent.ts'
import { readEventUser } from './readEventUser.ts'

/** What one user did, as a body says it and where. None of it need be what it should. */
export interface Report {
  readonly path: Path
  readonly said: unknown
}

/** What is known of events besides what a body says. */
export interface Arrival extends Keys {
  /** What the caller names the payload by. */
  readonly payloadId: string | undefined
  /** A target by the name that people know. */
  readonly plainTarget: (target: string) => string
  /** The most evaluations that an event can tell of. */
  readonly maxCount: number
  readonly validate: Validate
}

/** What came of reports. */
export interface Intake {
  /** The events that are good, by user. */
  readonly reports: readonly TrackedReport[]
  /** What the caller names the payload by. */
  readonly payloadId: string | undefined
  /** How many they are. */
  readonly accepted: number
  /** How many are not; what should have been events and was no list counts as one. */
  readonly refused: number
  /** Why, and what was left out of those that were: the first of them. */
  readonly mistakes: readonly Mistake[]
}

/** Takes the good events of reports. Whatever else they say is told, and never stands in the way of the good ones. */
export async function takeIn(said: readonly Report[], arrival: Arrival): Promise<Intake> {
  const mistakes: Mistake[] = []
  const tell: Tell = (path, message) => {
    if (mistakes.length < MAX_MISTAKES) mistakes.push({ path, message: brief(message()) })
  }
  const payloadId = withoutKey(readPayloadId(arrival, tell), arrival)
  const reports: TrackedReport[] = []
  let sent = 0
  let accepted = 0
  const pause = createPause()
  for (const report of said) {
    await pause(isObject(report.said) ? report.said.user : undefined)
    const { user, events } = readReport(report, tell)
    const room = Math.max(0, MAX_EVENTS - sent)
    sent += events?.length ?? 1
    if (!events || events.length === 0) continue
    const count = sent
    if (events.length > room) tell(report.path, () => `events ${TOO_MANY}, got ${count}`)
    if (room === 0) continue
    const good = await readGood({ user, events: events.slice(0, room), path: report.path }, arrival, { tell, pause })
    if (!good) continue
    reports.push(good)
    accepted += good.events.length
  }
  return { reports, payloadId, accepted, refused: sent - accepted, mistakes }
}

/** The longest message: it may name a member, and members can have names of any length. */
const MAX_MESSAGE = 500

function brief(message: string): string {
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message
}

const TOO_MANY = `should be at most ${MAX_EVENTS} in one request`

function readReport(
  { path, said }: Report,
  tell: Tell
): { readonly user?: unknown; readonly events?: readonly unknown[] } {
  if (!isObject(said)) {
    tell(path, () => `should be an object with user and events, got ${showAny(said)}`)
    return {}
  }
  const { user, events } = said
  if (Array.isArray(events)) return { user, events }
  tell(path, () => `events should be a list, got ${showAny(events)}`)
  return {}
}

interface Said {
  readonly user: unknown
  readonly events: readonly unknown[]
  readonly path: Path
}

/** How what is said is looked through. */
interface Reading {
  readonly tell: Tell
  readonly pause: Pause
}

/** A user with the good ones among their events; undefined where there are none. */
async function readGood({ user: said, events, path }: Said, arrival: Arrival, { tell, pause }: Reading) {
  const user = readEventUser(said, [...path, 'user'], arrival, tell)
  if (!user) return undefined
  const good: TrackedEvent[] = []
  for (const [index, event] of events.entries()) {
    await pause(event)
    const read = readEvent(event, [...path, 'events', index], arrival, tell)
    if (read) good.push(withoutKeys(read, arrival))
  }
  return good.length > 0 ? { user: withoutKey(user, arrival), events: good } : undefined
}

/** Lets others be answered, where that is due before an event or a user is looked at. */
type Pause = (next: unknown) => Promise<void>

/** Public keys can send events and users that take their time. */
function createPause(): Pause {
  let looked = LOOKED_AT_ONCE
  return async (next) => {
    const effort = EFFORT_OF_EACH + countValues(next)
    if (looked + effort > LOOKED_AT_ONCE) {
      await breathe()
      looked = 0
    }
    looked += effort
  }
}

/** After how many values of events and users there is time for others: about a millisecond's worth. */
const LOOKED_AT_ONCE = 500

/** As many values as it takes to look at an event or a user, besides those that it has. */
const EFFORT_OF_EACH = 50

function readPayloadId({ payloadId }: Arrival, tell: Tell): string | undefined {
  if (payloadId === undefined || payloadId.length <= MAX_IDEMPOTENCY_KEY) return payloadId || undefined
  const mistake = `the header idempotency-key should have at most ${MAX_IDEMPOTENCY_KEY} characters, got`
  tell([], () => `${mistake} ${show(payloadId)}`)
  return undefined
}
