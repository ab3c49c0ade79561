import { formatValue, MAX_EVENTS, MAX_IDEMPOTENCY_KEY_LENGTH, MAX_REPORTED_ISSUES } from '@burgee/contract'
import { isRecord } from '@burgee/kit'
import type { ParseBody } from '../../access/parseBody.ts'
import { yieldToEventLoop } from '../../lib/time.ts'
import type { TrackedEvent, TrackedReport } from '../../storage/events/eventEntry.ts'
import { parseEvent } from './parseEvent.ts'
import { parseEventUser } from './parseEventUser.ts'
import { type KeyRedaction, redactCallerKey, redactKeys } from './redactKeys.ts'
import { countValues, formatUntrusted } from './untrustedValue.ts'
import type { BodyPath, ReportIssue, ValidationIssue } from './validationIssue.ts'

/** What one user did, as a body says it and where. None of it need be what it should. */
export interface RawReport {
  readonly path: BodyPath
  readonly value: unknown
}

/** What is known of events besides what a body says. */
export interface IngestContext extends KeyRedaction {
  /** What the caller names the payload by. */
  readonly payloadId: string | undefined
  /** A target by the name that people know. */
  readonly deobfuscateTarget: (target: string) => string
  /** The most evaluations that an event can tell of. */
  readonly maxCount: number
  readonly validate: ParseBody
}

/** What came of reports. */
export interface IngestResult {
  /** The events that are good, by user. */
  readonly reports: readonly TrackedReport[]
  /** What the caller names the payload by. */
  readonly payloadId: string | undefined
  /** How many they are. */
  readonly accepted: number
  /** How many are not; what should have been events and was no list counts as one. */
  readonly refused: number
  /** Why, and what was left out of those that were: the first of them. */
  readonly issues: readonly ValidationIssue[]
}

/** Takes the good events of reports. Whatever else they say is told, and never stands in the way of the good ones. */
export async function ingest(said: readonly RawReport[], arrival: IngestContext): Promise<IngestResult> {
  const issues: ValidationIssue[] = []
  const tell: ReportIssue = (path, message) => {
    if (issues.length < MAX_REPORTED_ISSUES) issues.push({ path, message: truncate(message()) })
  }
  const payloadId = redactCallerKey(parsePayloadId(arrival, tell), arrival)
  const reports: TrackedReport[] = []
  let sent = 0
  let accepted = 0
  const pause = createPause()
  for (const report of said) {
    await pause(isRecord(report.value) ? report.value.user : undefined)
    const { user, events } = splitReport(report, tell)
    const room = Math.max(0, MAX_EVENTS - sent)
    sent += events?.length ?? 1
    if (!events || events.length === 0) continue
    const count = sent
    if (events.length > room) tell(report.path, () => `events ${TOO_MANY}, got ${count}`)
    if (room === 0) continue
    const good = await parseReport({ user, events: events.slice(0, room), path: report.path }, arrival, {
      report: tell,
      pause
    })
    if (!good) continue
    reports.push(good)
    accepted += good.events.length
  }
  return { reports, payloadId, accepted, refused: sent - accepted, issues }
}

/** The longest message: it may name a member, and members can have names of any length. */
const MAX_MESSAGE = 500

function truncate(message: string): string {
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message
}

const TOO_MANY = `should be at most ${MAX_EVENTS} in one request`

function splitReport(
  { path, value }: RawReport,
  tell: ReportIssue
): { readonly user?: unknown; readonly events?: readonly unknown[] } {
  if (!isRecord(value)) {
    tell(path, () => `should be an object with user and events, got ${formatUntrusted(value)}`)
    return {}
  }
  const { user, events } = value
  if (Array.isArray(events)) return { user, events }
  tell(path, () => `events should be a list, got ${formatUntrusted(events)}`)
  return {}
}

interface UserEvents {
  readonly user: unknown
  readonly events: readonly unknown[]
  readonly path: BodyPath
}

/** How what is said is looked through. */
interface ParseState {
  readonly report: ReportIssue
  readonly pause: Pause
}

/** A user with the good ones among their events; undefined where there are none. */
async function parseReport(
  { user: said, events, path }: UserEvents,
  arrival: IngestContext,
  { report, pause }: ParseState
) {
  const user = parseEventUser(said, [...path, 'user'], arrival, report)
  if (!user) return undefined
  const good: TrackedEvent[] = []
  for (const [index, event] of events.entries()) {
    await pause(event)
    const read = parseEvent(event, [...path, 'events', index], arrival, report)
    if (read) good.push(redactKeys(read, arrival))
  }
  return good.length > 0 ? { user: redactCallerKey(user, arrival), events: good } : undefined
}

/** Lets others be answered, where that is due before an event or a user is looked at. */
type Pause = (next: unknown) => Promise<void>

/** Public keys can send events and users that take their time. */
function createPause(): Pause {
  let spent = EFFORT_PER_SLICE
  return async (next) => {
    const effort = BASE_EFFORT + countValues(next)
    if (spent + effort > EFFORT_PER_SLICE) {
      await yieldToEventLoop()
      spent = 0
    }
    spent += effort
  }
}

/** After how many values of events and users there is time for others: about a millisecond's worth. */
const EFFORT_PER_SLICE = 500

/** As many values as it takes to look at an event or a user, besides those that it has. */
const BASE_EFFORT = 50

function parsePayloadId({ payloadId }: IngestContext, tell: ReportIssue): string | undefined {
  if (payloadId === undefined || payloadId.length <= MAX_IDEMPOTENCY_KEY_LENGTH) return payloadId || undefined
  const mistake = `the header idempotency-key should have at most ${MAX_IDEMPOTENCY_KEY_LENGTH} characters, got`
  tell([], () => `${mistake} ${formatValue(payloadId)}`)
  return undefined
}
