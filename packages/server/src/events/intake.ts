import { MAX_EVENTS } from '@burgee/contract'
import { mask } from '../mask.ts'
import { show } from '../show.ts'
import type { Validate } from '../validate.ts'
import type { TrackedEvent } from './eventLog.ts'
import { isObject, showAny } from './form.ts'
import type { Mistake, Path, Tell } from './mistake.ts'
import { readEvent } from './readEvent.ts'
import { readEventUser } from './readEventUser.ts'

/** What one user did, as a body says it and where. None of it need be what it should. */
export interface Report {
  readonly path: Path
  readonly said: unknown
}

/** What is known of events besides what a body says. */
export interface Arrival {
  readonly environment: string
  /** ISO 8601 in UTC. */
  readonly receivedAt: string
  /** What the caller names the payload by. */
  readonly idempotencyKey: string | undefined
  /** The key that the payload came with. */
  readonly sdkKey: string
  /** A target by the name that people know. */
  readonly plainTarget: (target: string) => string
  readonly validate: Validate
}

/** What came of reports. */
export interface Intake {
  readonly accepted: readonly TrackedEvent[]
  /** How many events were not; what should have been events and was no list counts as one. */
  readonly refused: number
  /** Why, and what was left out of those that were: the first of them. */
  readonly mistakes: readonly Mistake[]
}

/** How many mistakes are told. */
const TOLD = 20

/** The longest name of a payload. */
const MAX_IDEMPOTENCY_KEY = 256

/** Takes the good events of reports. Whatever else they say is told, and never stands in the way of the good ones. */
export function takeIn(reports: readonly Report[], arrival: Arrival): Intake {
  const mistakes: Mistake[] = []
  const tell: Tell = (path, message) => {
    if (mistakes.length < TOLD) mistakes.push({ path, message: brief(message) })
  }
  const named = { ...arrival, idempotencyKey: readIdempotencyKey(arrival, tell) }
  const accepted: TrackedEvent[] = []
  let sent = 0
  for (const report of reports) {
    const { user, events } = readReport(report, tell)
    const room = Math.max(0, MAX_EVENTS - sent)
    sent += events?.length ?? 1
    if (!events || events.length === 0) continue
    if (events.length > room) tell(report.path, `events ${TOO_MANY}, got ${sent}`)
    if (room > 0) accepted.push(...readEvents(events.slice(0, room), { user, path: report.path }, named, tell))
  }
  return { accepted, refused: sent - accepted.length, mistakes }
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
    tell(path, `should be an object with user and events, got ${showAny(said)}`)
    return {}
  }
  const { user, events } = said
  if (Array.isArray(events)) return { user, events }
  tell(path, `events should be a list, got ${showAny(events)}`)
  return {}
}

/** The good ones among a user's events. */
function readEvents(
  events: readonly unknown[],
  { user: said, path }: { readonly user: unknown; readonly path: Path },
  arrival: Arrival,
  tell: Tell
): TrackedEvent[] {
  const { environment, idempotencyKey, receivedAt } = arrival
  const user = readEventUser(said, [...path, 'user'], arrival, tell)
  if (!user) return []
  return events.flatMap((event, index) => {
    const read = readEvent(event, [...path, 'events', index], arrival, tell)
    return read ? [withoutKey({ environment, user, ...read, idempotencyKey, receivedAt }, arrival)] : []
  })
}

/** SDKs report which config they downloaded, and the SDK key stands in its address. */
function withoutKey(event: TrackedEvent, { sdkKey }: Arrival): TrackedEvent {
  const text = JSON.stringify(event)
  // What is masked was JSON and still is.
  return text.includes(sdkKey) ? (JSON.parse(text.replaceAll(sdkKey, mask(sdkKey))) as TrackedEvent) : event
}

function readIdempotencyKey({ idempotencyKey }: Arrival, tell: Tell): string | undefined {
  if (idempotencyKey === undefined || idempotencyKey.length <= MAX_IDEMPOTENCY_KEY) return idempotencyKey || undefined
  tell(
    [],
    `the header idempotency-key should have at most ${MAX_IDEMPOTENCY_KEY} characters, got ${show(idempotencyKey)}`
  )
  return undefined
}
