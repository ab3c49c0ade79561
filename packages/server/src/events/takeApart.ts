import type { SdkKeyType } from '@burgee/contract'
import type { EventEntry, Exposure, SdkType, TrackedEvent, TrackedReport } from '../eventStore/entry.ts'
import type { Catalogue } from './catalogue.ts'
import { evaluationKind } from './evaluations.ts'
import { senderOf } from './sender.ts'
import { servedAs } from './servedAs.ts'
import { Tally } from './tally.ts'

/** Splits reports into what is counted, which is all that they tell of evaluations, and the events that are kept one by one. */
export function takeApart(
  reports: readonly TrackedReport[],
  { catalogue, keyType, sdkType }: Surroundings
): Pick<EventEntry, 'reports' | 'counts' | 'exposures'> {
  const kept: TrackedReport[] = []
  const tally = new Tally()
  const exposures = new Map<string, Exposure>()
  for (const { user, events } of reports) {
    const sender = senderOf(user, { keyType, sdkType })
    const others: TrackedEvent[] = []
    for (const event of events) {
      const kind = evaluationKind(event)
      if (!kind) {
        others.push(event)
        continue
      }
      const { target = '', value = 1 } = event
      const served = servedAs(catalogue, target, (feature) =>
        kind.isServed ? saidVariation(event, feature) : undefined
      )
      if (value > 0) tally.cell({ ...served, ...sender }).count += value
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
interface Surroundings {
  readonly catalogue: Catalogue
  readonly keyType: SdkKeyType
  /** What the reports came by, for users who do not say. */
  readonly sdkType: SdkType
}

/** The variation that an event names: server SDKs do so in the metadata; those of browsers and apps list what their user gets. */
function saidVariation({ metaData, featureVars }: TrackedEvent, feature: string): unknown {
  return metaData?._variation ?? featureVars?.[feature]
}
