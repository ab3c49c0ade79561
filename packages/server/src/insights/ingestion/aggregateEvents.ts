import type { SdkKeyType } from '@burgee/contract'
import type { EventEntry, Exposure, SdkType, TrackedEvent, TrackedReport } from '../../storage/events/eventEntry.ts'
import { Counters } from '../evaluations/counters.ts'
import { findEvaluationKind } from '../evaluations/evaluationEvents.ts'
import { evaluationOf } from '../evaluations/evaluationOf.ts'
import { eventSourceOf } from '../evaluations/eventSource.ts'
import type { VariableIndex } from '../evaluations/variableIndex.ts'

/** Splits reports into what is counted, which is all that they tell of evaluations, and the events that are kept one by one. */
export function aggregateEvents(
  reports: readonly TrackedReport[],
  { catalogue, keyType, sdkType }: AggregationContext
): Pick<EventEntry, 'reports' | 'counts' | 'exposures'> {
  const kept: TrackedReport[] = []
  const tally = new Counters()
  const exposures = new Map<string, Exposure>()
  for (const { user, events } of reports) {
    const sender = eventSourceOf(user, { keyType, sdkType })
    const others: TrackedEvent[] = []
    for (const event of events) {
      const kind = findEvaluationKind(event)
      if (!kind) {
        others.push(event)
        continue
      }
      const { target = '', value = 1 } = event
      const served = evaluationOf(catalogue, target, (feature) =>
        kind.isServed ? reportedVariation(event, feature) : undefined
      )
      if (value > 0) tally.counter({ ...served, ...sender }).count += value
      if (!kind.isOfUser) continue
      const { feature, variation } = served
      const exposure = { user_id: user.user_id, feature, variation, sdkType: sender.sdkType }
      const name = JSON.stringify([user.user_id, feature, variation, sender.sdkType])
      // What a user got last stands last.
      exposures.delete(name)
      exposures.set(name, exposure)
    }
    if (others.length > 0) kept.push({ user, events: others })
  }
  return { reports: kept, counts: tally.list(), exposures: [...exposures.values()] }
}

/** What reports are held against. */
interface AggregationContext {
  readonly catalogue: VariableIndex
  readonly keyType: SdkKeyType
  /** What the reports came by, for users who do not say. */
  readonly sdkType: SdkType
}

/** The variation that an event names: server SDKs do so in the metadata; those of browsers and apps list what their user gets. */
function reportedVariation({ metaData, featureVars }: TrackedEvent, feature: string): unknown {
  return metaData?._variation ?? featureVars?.[feature]
}
