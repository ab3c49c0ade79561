import type { EventEntry, Exposure, TrackedEvent } from '../eventEntry.ts'
import type { EventRecord, EventRecordsQuery, ExposureFilter } from '../eventStore.ts'
import { utcHourStart } from '../utcDay.ts'
import type { EventStorage } from './eventStorage.ts'

/** Reads event records. The exposures of an entry come before its tracked events. */
export async function* readEventRecords(
  storage: EventStorage,
  query: EventRecordsQuery
): AsyncGenerator<EventRecord, void> {
  const { environments, range } = query
  for await (const entry of storage.entries(query)) {
    if (entry.at >= range.end || !environments.includes(entry.environment)) continue
    if (entry.at >= utcHourStart(range.start)) yield* toExposureRecords(entry, query)
    if (entry.at >= range.start) yield* toOtherRecords(entry, query)
  }
}

function* toExposureRecords(
  { environment, at, exposures }: EventEntry,
  { feature, filter }: EventRecordsQuery
): Generator<EventRecord, void> {
  for (const exposure of exposures) {
    const { feature: exposed, variation, user_id, count, isRepeated } = exposure
    if (exposed !== feature || variation === undefined) continue
    const isInAudience = filter?.audience === undefined || exposure.audiences?.includes(filter.audience)
    if (!isInAudience || !isFrom(exposure, filter)) continue
    yield { type: 'exposure', at, environment, user_id, variation, count, isRepeated }
  }
}

function* toOtherRecords(
  { environment, at, counts, reports }: EventEntry,
  { feature, event, filter }: EventRecordsQuery
): Generator<EventRecord, void> {
  for (const counted of counts) {
    const { feature: evaluated, variation, count } = counted
    if (evaluated !== feature || variation === undefined || !isFrom(counted, filter)) continue
    yield { type: 'evaluations', at, environment, variation, count }
  }
  for (const { user, events } of reports) {
    const { user_id } = user
    for (const tracked of events) {
      if (eventName(tracked) !== event) continue
      const { value, featureVars } = tracked
      yield { type: 'event', at, environment, user_id, value, variation: featureVars?.[feature] }
    }
  }
}

/** Whether an exposure or evaluations have the platform and the SDK type of a filter. */
function isFrom({ platform, sdkType }: Pick<Exposure, 'platform' | 'sdkType'>, filter: ExposureFilter = {}): boolean {
  return (
    (filter.platform === undefined || filter.platform === platform) &&
    (filter.sdkType === undefined || filter.sdkType === sdkType)
  )
}

/** The name by which metrics refer to an event. */
function eventName({ type, customType }: Pick<TrackedEvent, 'type' | 'customType'>): string {
  return type === 'customEvent' && customType !== undefined ? customType : type
}
