import { hash } from 'node:crypto'
import type { SdkKeyType, SdkType } from '@burgee/contract'
import type { KeyConfig } from '../../delivery/configs/configs.ts'
import {
  type EventEntry,
  type Exposure,
  evaluationEventTypes,
  type TrackedEvent,
  type TrackedReport
} from '../../storage/events/eventEntry.ts'
import { evaluationOf, eventSourceOf, type VariableIndex, variableIndexOf } from '../evaluations/evaluationOf.ts'
import { Counters } from '../evaluations/hourBuffer.ts'
import type { IngestedReport, IngestResult } from './ingest.ts'

/** How events were received. */
interface RequestSource {
  readonly operation: 'track' | 'sendEvents' | 'sendEventBatches'
  /** The SDK type of users who do not name one. */
  readonly sdkType: SdkType
  /** In epoch milliseconds. */
  readonly at: number
}

/** Converts the valid events of a request to the entry that the event store appends. */
export function toEventEntry(
  { payloadId, reports }: Pick<IngestResult, 'payloadId' | 'reports'>,
  { environment, keyType, features, variables }: KeyConfig,
  { operation, sdkType, at }: RequestSource
): EventEntry {
  const aggregated = aggregateEvents(reports, { index: variableIndexOf(features, variables), keyType, sdkType })
  // The digest is taken before aggregation, whose result depends on the variables that exist when a request is
  // repeated.
  const payload = payloadId === undefined ? {} : { payloadId, payloadDigest: digest(operation, reports) }
  return { environment: environment._id, at, keyType, ...payload, ...aggregated }
}

function digest(operation: RequestSource['operation'], reports: IngestResult['reports']): string {
  return hash('sha256', `${operation} ${JSON.stringify(reports)}`, 'base64url').slice(0, 22)
}

interface AggregationContext {
  readonly index: VariableIndex
  readonly keyType: SdkKeyType
  /** The SDK type of users who do not name one. */
  readonly sdkType: SdkType
}

/** Aggregates evaluation events to counts and exposures; the other events are kept one by one. */
export function aggregateEvents(
  reports: readonly IngestedReport[],
  { index, keyType, sdkType }: AggregationContext
): Pick<EventEntry, 'reports' | 'counts' | 'exposures'> {
  const kept: TrackedReport[] = []
  const counters = new Counters()
  const exposures = new Map<string, Exposure>()
  for (const { user, events, audiences: findAudiences } of reports) {
    let found: readonly string[] | undefined
    const audiences = () => (found ??= findAudiences?.() ?? [])
    const source = eventSourceOf(user, { keyType, sdkType })
    const otherEvents: TrackedEvent[] = []
    for (const event of events) {
      const kind = evaluationEventTypes.get(event.type)
      if (!kind) {
        otherEvents.push(event)
        continue
      }
      const { target = '', value = 1 } = event
      const evaluation = evaluationOf(index, target, (feature) =>
        kind.isServed ? reportedVariation(event, feature) : undefined
      )
      if (value > 0) counters.get({ ...evaluation, ...source }).count += value
      if (!kind.isOfUser) continue
      const { feature, variation } = evaluation
      // Nothing is computed from the platforms of defaults.
      const origin = variation === undefined ? { sdkType: source.sdkType } : source
      const exposure: Exposure = { user_id: user.user_id, feature, variation, ...origin }
      const key = JSON.stringify([user.user_id, feature, variation, origin])
      const count = value + (exposures.get(key)?.count ?? 0)
      // Deleting first moves a repeated exposure to the end: the last variation of a user comes last.
      exposures.delete(key)
      exposures.set(key, variation === undefined ? exposure : { ...exposure, ...servedDetails(count, audiences()) })
    }
    if (otherEvents.length > 0) kept.push({ user, events: otherEvents })
  }
  return { reports: kept, counts: counters.list(), exposures: [...exposures.values()] }
}

/** Server SDKs name the variation in `metaData`; SDKs of browsers and apps list the variations of their user. */
function reportedVariation({ metaData, featureVars }: TrackedEvent, feature: string): unknown {
  return metaData?._variation ?? featureVars?.[feature]
}

function servedDetails(count: number, audiences: readonly string[]): Pick<Exposure, 'count' | 'audiences'> {
  return { ...(count > 0 ? { count } : {}), ...(audiences.length > 0 ? { audiences } : {}) }
}
