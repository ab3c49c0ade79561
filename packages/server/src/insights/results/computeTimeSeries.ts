import type { MetricDimension } from '@burgee/contract/schemas'
import { DAY, yieldToEventLoop } from '../../lib/time.ts'
import type { EventRecordsQuery, EventStore } from '../../storage/events/eventStore.ts'
import { createAttribution } from './attribution.ts'
import { type MetricSummary, metricDimensions } from './metricDimensions.ts'
import { computeSampleStatistics, type SampleStatistics, withoutUsers } from './sampleStatistics.ts'
import { timeBucketStarts } from './timeBuckets.ts'

/** The dimension of a metric, and the variations to compute it for. */
export interface TimeSeriesQuery extends EventRecordsQuery {
  readonly dimension: MetricDimension
  /** Ids. */
  readonly variations: readonly string[]
}

/** The results from the start of the range to the end of one day. */
export interface InterimResult {
  /** The start of the day. */
  readonly date: string
  /** In the order of the query's variations. */
  readonly variations: readonly VariationInterimResult[]
}

/** The interim result of one variation. */
export interface VariationInterimResult extends MetricSummary {
  /** The number of users who got the variation. */
  readonly users: number
}

/** Computes the interim result of each UTC day of the range, in one pass over the records. */
export async function computeTimeSeries(
  eventStore: Pick<EventStore, 'eventRecords'>,
  query: TimeSeriesQuery
): Promise<readonly InterimResult[]> {
  const days = timeBucketStarts(query.range, 'day')
  const dayEnds = days.map((day) => Date.parse(day) + DAY)
  const { summarize, ...rules } = metricDimensions[query.dimension]
  const attribution = createAttribution({ ...rules, variations: query.variations })
  const snapshots: Snapshot[] = []
  let current: Promise<readonly SampleStatistics[]> | undefined
  const takeSnapshot = async (): Promise<void> => {
    query.throwIfAborted?.()
    current ??= computeSampleStatistics(attribution, query.variations.length)
    const date = days[snapshots.length] ?? ''
    snapshots.push({ date, statistics: await current, hasExposures: attribution.hasExposures() })
  }
  let read = 0
  for await (const record of eventStore.eventRecords(query)) {
    if (read++ % RECORDS_PER_SLICE === 0) {
      await yieldToEventLoop()
      query.throwIfAborted?.()
    }
    // The last day takes all remaining records, since the range ends with it.
    while (snapshots.length < days.length - 1 && record.at >= (dayEnds[snapshots.length] ?? 0)) await takeSnapshot()
    attribution.add(record)
    current = undefined
  }
  while (snapshots.length < days.length) await takeSnapshot()
  return snapshots.map(({ date, statistics, hasExposures }) => {
    // Until the first exposure, all events are trusted. Once there is one, users of earlier days are known to have got
    // no variation.
    const counted = hasExposures === attribution.hasExposures() ? statistics : statistics.map(withoutUsers)
    return { date, variations: counted.map((sample) => ({ ...summarize(sample), users: sample.users })) }
  })
}

/** The statistics at the end of a day. */
interface Snapshot {
  readonly date: string
  readonly statistics: readonly SampleStatistics[]
  readonly hasExposures: boolean
}

/** About a millisecond of work. */
const RECORDS_PER_SLICE = 4096
