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
import { evaluationOf, eventSourceOf, type VariableIndex, variableIndexOf } from '../evaluations/evaluationOf.ts'
import { Counters } from '../evaluations/hourBuffer.ts'
import type { IngestedReport, IngestResult, SerializedReport } from './ingest.ts'

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
  // The digest is taken of the events before aggregation, whose result depends on the variables that exist when a request is
  // repeated.
  const payload = payloadId === undefined ? {} : { payloadId, payloadDigest: digest(operation, reports) }
  return { environment: environment._id, at: now(), keyType, ...payload, ...aggregated }
}

function digest(operation: RequestSource['operation'], reports: readonly SerializedReport[]): string {
  const json = reports.map((report) => report.json).join(',')
  return hash('sha256', `${operation} [${json}]`, 'base64url').slice(0, 22)
}

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
    const servedKey = JSON.stringify([user.user_id, source])
    // Nothing is computed from the platforms of defaults.
    const defaultSource = { sdkType: source.sdkType }
    const defaultKey = JSON.stringify([user.user_id, defaultSource])
    const otherEvents: TrackedEvent[] = []
    for (const event of events) {
      const pause = slices.yieldIfDue()
      // An `await` without a pause would cost as much as the event.
      if (pause !== undefined) await pause
      const kind = evaluationEventTypes.get(event.type)
      if (!kind) {
        otherEvents.push(event)
        continue
      }
      const { target = '', value = 1 } = event
      const evaluation = evaluationOf(index, target, (feature) =>
        kind.isServed ? reportedVariation(event, feature) : undefined
      )
      if (value > 0) counters.get(evaluation, source).count += value
      if (!kind.isOfUser) continue
      const { feature, variation } = evaluation
      const isDefault = variation === undefined
      const key = `${isDefault ? defaultKey : servedKey} ${feature} ${variation}`
      const known = exposures.get(key)
      const count = value + (known?.count ?? 0)
      const origin = isDefault ? defaultSource : source
      const exposure = known?.exposure ?? { user_id: user.user_id, feature, variation, ...origin }
      // Deleting first moves a repeated exposure to the end: the last variation of a user comes last.
      exposures.delete(key)
      exposures.set(key, { exposure, count, audiences })
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

/** Server SDKs name the variation in `metaData`; SDKs of browsers and apps list the variations of their user. */
function reportedVariation({ metaData, featureVars }: TrackedEvent, feature: string): unknown {
  return metaData?._variation ?? featureVars?.[feature]
}

function servedDetails(count: number, audiences: readonly string[]): Pick<Exposure, 'count' | 'audiences'> {
  return { ...(count > 0 ? { count } : {}), ...(audiences.length > 0 ? { audiences } : {}) }
}
