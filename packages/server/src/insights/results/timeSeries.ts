import type { CountsFrom, MetricDimension } from '@burgee/contract/schemas'
import type { EventRecordsQuery } from '../../storage/events/eventStore.ts'
import type { ExposedUsers } from './attribution/attribution.ts'
import type { MetricSummary } from './metricDimensions.ts'
import type { SampleStatistics } from './sampleStatistics.ts'

/** The dimension of a metric, and the variations to compute it for. */
export interface TimeSeriesQuery extends EventRecordsQuery {
  readonly dimension: MetricDimension
  readonly countsFrom: CountsFrom
  /** Ids. */
  readonly variations: readonly string[]
}

/** The results from the start of the range to the end of each of its days. */
export interface TimeSeries {
  readonly days: readonly InterimResult[]
  /** The time from which results include all events, in epoch milliseconds: later than the start if events expired. */
  readonly since: number
  /** Why the running table could not be stored, if that failed. The results do not depend on it. */
  readonly unsaved?: string
}

/** The results from the start of the range to the end of one day. */
export interface InterimResult {
  /** The start of the day. */
  readonly date: string
  /** In the order of the query's variations. */
  readonly variations: readonly VariationInterimResult[]
  readonly exposedUsers: ExposedUsers
}

/** The interim result of one variation. */
export interface VariationInterimResult extends MetricSummary {
  /** The number of users who got the variation. */
  readonly users: number
  /** The number of users with events. */
  readonly activeUsers: number
}

/** The statistics from the start of the range to the end of a day. */
export interface DaySnapshot {
  /** The start of the day. */
  readonly date: string
  /** Of each variation. */
  readonly statistics: readonly SampleStatistics[]
  readonly hasExposures: boolean
  readonly exposedUsers: ExposedUsers
}
