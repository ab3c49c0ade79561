import { hash } from 'node:crypto'
import type { SdkKeyType, SdkType } from '@burgee/contract'
import type { KeyConfig } from '../../delivery/configs/keyConfig.ts'
import { createTimeSlices } from '../../lib/time.ts'
import {
  type EventEntry,
  type Exposure,
  evaluationEventTypes,
  type TrackedEvent,
  type TrackedReport
} from '../../storage/events/eventEntry.ts'
import { eventSourceOf, type VariableIndex, variableIndexOf } from '../evaluations/evaluationOf.ts'
import { Counters } from '../evaluations/hourBuffer.ts'
import type { IngestedReport, IngestResult } from './ingest.ts'
import { OutcomeCounts } from './outcomeCounts.ts'

/** How events were received. */
interface RequestSource {
  readonly operation: 'track' | 'sendEvents' | 'sendEventBatches'
  /** The SDK type of users who do not name one. */
  readonly sdkType: SdkType
  /** In epoch milliseconds. */
  readonly now: () => number
}

/**
 * Converts the valid events of a request to the entry that the event store appends. The event loop serves others
 * meanwhile: a user can be in audiences whose filters take long, and there can be thousands of users.
 */
export async function toEventEntry(
  { payloadId, reports }: Pick<IngestResult, 'payloadId' | 'reports'>,
  { environment, keyType, features, variables }: KeyConfig,
  { operation, sdkType, now }: RequestSource
): Promise<EventEntry> {
  const aggregated = await aggregateEvents(reports, { index: variableIndexOf(features, variables), keyType, sdkType })
  // The digest is taken of the events before aggregation, whose result depends on the variables that exist when a
  // request is repeated.
  const payload = payloadId === undefined ? {} : { payloadId, payloadDigest: await digest(operation, reports) }
  return { environment: environment._id, at: now(), keyType, ...payload, ...aggregated }
}

async function digest(operation: RequestSource['operation'], reports: readonly TrackedReport[]): Promise<string> {
  const slices = createTimeSlices()
  const texts: string[] = []
  for (const { user, events } of reports) {
    const parts: string[] = []
    for (let start = 0; start < events.length; start += EVENTS_PER_PART) {
      const pause = slices.yieldIfDue()
      if (pause !== undefined) await pause
      parts.push(JSON.stringify(events.slice(start, start + EVENTS_PER_PART)).slice(1, -1))
    }
    texts.push(`{"user":${JSON.stringify(user)},"events":[${parts.join(',')}]}`)
  }
  return hash('sha256', `${operation} [${texts.join(',')}]`, 'base64url').slice(0, 22)
}

/** The number of events that are serialized at once: the longest take a few milliseconds. */
const EVENTS_PER_PART = 32

interface AggregationContext {
  readonly index: VariableIndex
  readonly keyType: SdkKeyType
  /** The SDK type of users who do not name one. */
  readonly sdkType: SdkType
}

/** Aggregates evaluation events to counts and exposures; the other events are kept one by one. */
export async function aggregateEvents(
  reports: readonly IngestedReport[],
  { index, keyType, sdkType }: AggregationContext
): Promise<Pick<EventEntry, 'reports' | 'counts' | 'exposures'>> {
  const slices = createTimeSlices()
  const kept: TrackedReport[] = []
  const counters = new Counters()
  const exposures = new Map<string, CountedExposure>()
  for (const { user, events, audiences: findAudiences } of reports) {
    let found: readonly string[] | undefined
    const audiences = () => (found ??= findAudiences?.() ?? [])
    const source = eventSourceOf(user, { keyType, sdkType })
    const outcomes = new OutcomeCounts()
    const otherEvents: TrackedEvent[] = []
    for (const [position, event] of events.entries()) {
      const pause = position % EVENTS_PER_CHECK === 0 ? slices.yieldIfDue() : undefined
      // An `await` without a pause would cost as much as the event.
      if (pause !== undefined) await pause
      const kind = evaluationEventTypes.get(event.type)
      if (kind) outcomes.add(event, kind, index.findVariable(event.target ?? ''))
      else otherEvents.push(event)
    }
    for (const { outcome, count } of outcomes.list()) if (count > 0) counters.get(outcome, source).count += count
    for (const { outcome, countOfUser } of outcomes.listOfUser()) {
      const { feature, variation } = outcome
      // Nothing uses the platforms of defaults.
      const origin = variation === undefined ? { sdkType: source.sdkType } : source
      const key = JSON.stringify([user.user_id, origin, feature, variation])
      const known = exposures.get(key)
      const exposure = known?.exposure ?? { user_id: user.user_id, feature, variation, ...origin }
      // Deleting first moves a repeated exposure to the end: the last variation of a user comes last.
      exposures.delete(key)
      exposures.set(key, { exposure, count: countOfUser + (known?.count ?? 0), audiences })
    }
    if (otherEvents.length > 0) kept.push({ user, events: otherEvents })
  }
  const listed: Exposure[] = []
  for (const exposure of exposures.values()) {
    const pause = slices.yieldIfDue()
    if (pause !== undefined) await pause
    listed.push(toExposure(exposure))
  }
  return { reports: kept, counts: counters.list(), exposures: listed }
}

/** The number of evaluation events that are counted between two checks of the clock. */
const EVENTS_PER_CHECK = 32

/** An exposure, with the count and the audiences from which the details of a served variation are computed. */
interface CountedExposure {
  readonly exposure: Exposure
  readonly count: number
  /** Returns the ids of the audiences that the user is in. */
  readonly audiences: () => readonly string[]
}

function toExposure({ exposure, count, audiences }: CountedExposure): Exposure {
  return exposure.variation === undefined ? exposure : { ...exposure, ...servedDetails(count, audiences()) }
}

function servedDetails(count: number, audiences: readonly string[]): Pick<Exposure, 'count' | 'audiences'> {
  return { ...(count > 0 ? { count } : {}), ...(audiences.length > 0 ? { audiences } : {}) }
}
