import { MAX_EVENTS, MAX_IDEMPOTENCY_KEY_LENGTH, MAX_REPORTED_ISSUES } from '@burgee/contract/schemas'
import type { User } from '@burgee/core'
import { isRecord, omitUndefined, type TimeSlices } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import { createTimeSlices } from '../../lib/time.ts'
import type { TrackedEvent, TrackedReport } from '../../storage/events/eventEntry.ts'
import { type ParseContext, parseEvent, parseEventUser } from './parseEvent.ts'
import { type KeyRedaction, redactKeys } from './redactKeys.ts'
import type { TextScan } from './textScan.ts'
import { type BodyPath, formatUntrusted, type ReportIssue, type ValidationIssue } from './validationIssue.ts'

/** The unvalidated events of one user, with their position in the request body. */
export interface RawReport {
  readonly path: BodyPath
  readonly value: unknown
}

/** The properties of a request, besides its body, that ingestion depends on. */
export interface IngestContext extends KeyRedaction, ParseContext, TextScan {
  /** The value of the `Idempotency-Key` header. */
  readonly payloadId: string | undefined
  /** Returns the ids of the audiences that a user is in. Attributes of a wrong type count as absent. */
  readonly audiencesOf: (user: Pick<User, 'user_id'>) => readonly string[]
}

/** The valid events of one user. */
export interface IngestedReport extends TrackedReport {
  /** Returns the ids of the audiences that the user is in, by all of their attributes, most of which are not stored. */
  readonly audiences?: () => readonly string[]
}

/** The outcome of ingesting a request. */
export interface IngestResult {
  /** The valid events, by user. */
  readonly reports: readonly IngestedReport[]
  /** The value of the `Idempotency-Key` header, with SDK keys masked. */
  readonly payloadId: string | undefined
  /** The number of valid events. */
  readonly accepted: number
  /** The number of invalid events; a value that should be a list of events but is not counts as one. */
  readonly refused: number
  /** Why events were refused, and which attributes of accepted ones were dropped; at most `MAX_REPORTED_ISSUES`. */
  readonly issues: readonly ValidationIssue[]
}

/**
 * Validates reports. Invalid events become issues and do not affect the valid ones (docs/reference/events.md).
 */
export async function ingest(raw: readonly RawReport[], context: IngestContext): Promise<IngestResult> {
  const issues: ValidationIssue[] = []
  const report: ReportIssue = (path, message) => {
    if (issues.length < MAX_REPORTED_ISSUES) issues.push({ path, message: truncate(message()) })
  }
  const givenId = parsePayloadId(context, report)
  const payloadId = givenId === undefined ? undefined : redactKeys(givenId, context)
  const reports: IngestedReport[] = []
  let received = 0
  let accepted = 0
  // Large bodies sent with public keys must not block evaluations.
  const state = { report, slices: createTimeSlices(SLICE_MS) }
  for (const rawReport of raw) {
    const pause = state.slices.yieldIfDue()
    if (pause !== undefined) await pause
    const { user, events } = splitReport(rawReport, report)
    const room = Math.max(0, MAX_EVENTS - received)
    received += events?.length ?? 1
    if (!events || events.length === 0) continue
    const count = received
    if (events.length > room) report(rawReport.path, () => `events ${TOO_MANY}, got ${count}`)
    if (room === 0) continue
    const parsed = await parseReport({ user, events: events.slice(0, room), path: rawReport.path }, context, state)
    if (!parsed) continue
    reports.push(parsed)
    accepted += parsed.events.length
  }
  return { reports, payloadId, accepted, refused: received - accepted, issues }
}

/** The time for which events of a request are validated between two turns of the event loop. */
const SLICE_MS = 1

/** In characters. Messages can contain property names of the body, which can have any length. */
const MAX_MESSAGE_LENGTH = 500

function truncate(message: string): string {
  return message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message
}

const TOO_MANY = `should be at most ${MAX_EVENTS} in one request`

function splitReport(
  { path, value }: RawReport,
  report: ReportIssue
): { readonly user?: unknown; readonly events?: readonly unknown[] } {
  if (!isRecord(value)) {
    report(path, () => `should be an object with user and events, got ${formatUntrusted(value)}`)
    return {}
  }
  const { user, events } = value
  if (Array.isArray(events)) return { user, events }
  report(path, () => `events should be a list, got ${formatUntrusted(events)}`)
  return {}
}

interface RawUserEvents {
  readonly user: unknown
  readonly events: readonly unknown[]
  readonly path: BodyPath
}

interface IngestState {
  readonly report: ReportIssue
  readonly slices: TimeSlices
}

/** Returns a user with their valid events, or `undefined` if the user is invalid or no event is valid. */
async function parseReport(
  { user: rawUser, events: rawEvents, path }: RawUserEvents,
  context: IngestContext,
  { report, slices }: IngestState
): Promise<IngestedReport | undefined> {
  const user = parseEventUser(rawUser, [...path, 'user'], context, report)
  if (!user) return undefined
  const redact = <T>(value: T): T => (context.mayContainKeys ? redactKeys(value, context) : value)
  const events: TrackedEvent[] = []
  for (const [index, rawEvent] of rawEvents.entries()) {
    const pause = slices.yieldIfDue()
    // An `await` without a pause would cost as much as the validation of an event.
    if (pause !== undefined) await pause
    const event = parseEvent(rawEvent, [...path, 'events', index], context, report)
    if (event) events.push(redact(event))
  }
  if (events.length === 0) return undefined
  const audiences = () => context.audiencesOf({ ...(isRecord(rawUser) ? rawUser : {}), ...omitUndefined(user) })
  return { user: redact(user), events, audiences }
}

function parsePayloadId({ payloadId }: IngestContext, report: ReportIssue): string | undefined {
  if (payloadId === undefined || payloadId.length <= MAX_IDEMPOTENCY_KEY_LENGTH) return payloadId || undefined
  const rule = `the header idempotency-key should have at most ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`
  report([], () => `${rule}, got ${formatValue(payloadId)}`)
  return undefined
}
