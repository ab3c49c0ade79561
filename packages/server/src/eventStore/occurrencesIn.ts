import type { EventEntry, TrackedEvent } from './entry.ts'
import type { Occurrence, OccurrencesQuery } from './eventStore.ts'
import type { Home } from './home.ts'
import { hourOf } from './utcDay.ts'

/** What comparing the variations of a feature takes. Of one entry, what users got comes before what they did. */
export async function* occurrencesIn(home: Home, query: OccurrencesQuery): AsyncGenerator<Occurrence, void> {
  const { environments, range } = query
  for await (const entry of home.entries(query)) {
    if (entry.at >= range.end || !environments.includes(entry.environment)) continue
    if (entry.at >= hourOf(range.start)) yield* exposuresOf(entry, query)
    if (entry.at >= range.start) yield* othersOf(entry, query)
  }
}

function* exposuresOf(
  { environment, at, exposures }: EventEntry,
  { feature }: OccurrencesQuery
): Generator<Occurrence, void> {
  for (const { feature: exposed, variation, user_id } of exposures) {
    if (exposed !== feature || variation === undefined) continue
    yield { type: 'exposure', at, environment, user_id, variation }
  }
}

function* othersOf(
  { environment, at, counts, reports }: EventEntry,
  { feature, event }: OccurrencesQuery
): Generator<Occurrence, void> {
  for (const { feature: evaluated, variation, count } of counts) {
    if (evaluated !== feature || variation === undefined) continue
    yield { type: 'evaluations', at, environment, variation, count }
  }
  for (const { user, events } of reports) {
    const { user_id } = user
    for (const tracked of events) {
      if (wordOf(tracked) !== event) continue
      const { value, featureVars } = tracked
      yield { type: 'event', at, environment, user_id, value, variation: featureVars?.[feature] }
    }
  }
}

/** The application's own word for an event. */
function wordOf({ type, customType }: Pick<TrackedEvent, 'type' | 'customType'>): string {
  return type === 'customEvent' && customType !== undefined ? customType : type
}
