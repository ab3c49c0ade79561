import type { MetricDimension } from '@burgee/contract/schemas'
import { DAY, yieldToEventLoop } from '../../lib/time.ts'
import type { EventRecordsQuery, EventStore } from '../../storage/events/eventStore.ts'
import { createAttribution } from './attribution.ts'
import { type MetricSummary, metricDimensions } from './metricDimensions.ts'
import { computeSampleStatistics, type SampleStatistics, withoutUsers } from './sampleStatistics.ts'
import { timeBucketStarts } from './timeBuckets.ts'

/** What is measured: a metric's dimension, of the variations of a feature. */
export interface TimeSeriesQuery extends EventRecordsQuery {
  readonly dimension: MetricDimension
  /** Ids. */
  readonly variations: readonly string[]
}

/** How the variations fared until the end of a day. */
export interface InterimResult {
  /** The start of the day. */
  readonly date: string
  /** In the order of the query's variations. */
  readonly variations: readonly VariationInterimResult[]
}

/** How one of them fared. */
export interface VariationInterimResult extends MetricSummary {
  /** How many users got it. */
  readonly users: number
}

/** Goes through what happened once, and looks at the end of each day that the range touches, and so at its own end. */
export async function computeTimeSeries(
  eventStore: Pick<EventStore, 'eventRecords'>,
  query: TimeSeriesQuery
): Promise<readonly InterimResult[]> {
  const days = timeBucketStarts(query.range, 'day')
  const ends = days.map((day) => Date.parse(day) + DAY)
  const { summarize, ...counted } = metricDimensions[query.dimension]
  const outcomes = createAttribution({ ...counted, variations: query.variations })
  const looks: Snapshot[] = []
  let latest: Promise<readonly SampleStatistics[]> | undefined
  const look = async (): Promise<void> => {
    query.throwIfAborted?.()
    latest ??= computeSampleStatistics(outcomes, query.variations.length)
    looks.push({ date: days[looks.length] ?? '', statistics: await latest, hasExposures: outcomes.hasExposures() })
  }
  let read = 0
  for await (const occurrence of eventStore.eventRecords(query)) {
    if (read++ % READ_AT_ONCE === 0) {
      await yieldToEventLoop()
      query.throwIfAborted?.()
    }
    // The last day ends with the range, whatever clocks say.
    while (looks.length < days.length - 1 && occurrence.at >= (ends[looks.length] ?? 0)) await look()
    outcomes.add(occurrence)
    latest = undefined
  }
  while (looks.length < days.length) await look()
  return looks.map(({ date, statistics, hasExposures }) => {
    // Words that were all there was at first are not, once somebody is known.
    const counted = hasExposures === outcomes.hasExposures() ? statistics : statistics.map(withoutUsers)
    return { date, variations: counted.map((spread) => ({ ...summarize(spread), users: spread.users })) }
  })
}

/** What there is at the end of a day. */
interface Snapshot {
  readonly date: string
  readonly statistics: readonly SampleStatistics[]
  readonly hasExposures: boolean
}

/** A millisecond's worth. */
const READ_AT_ONCE = 4096
