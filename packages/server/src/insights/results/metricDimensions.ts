import type { MetricDimension } from '@burgee/contract/schemas'
import type { SampleStatistics } from './sampleStatistics.ts'
import type { Proportion } from './statistics/proportion.ts'
import type { MeanSample } from './statistics/welch.ts'

/** The figures of one variation. */
export interface MetricSummary {
  readonly numerator: number
  readonly denominator: number
  readonly avgValue?: number | undefined
  readonly totalValue?: number | undefined
  readonly stdev?: number | undefined
  /** The sample that the statistical test compares. */
  readonly testInput: TestInput
}

/** The input of the z-test or of Welch's test, or the reason why there is no test. */
export type TestInput =
  | { readonly test: 'proportions'; readonly proportion: Proportion }
  | { readonly test: 'means'; readonly sample: MeanSample }
  | { readonly test: 'none'; readonly reason: string }

/** How a dimension is computed from events. */
export interface DimensionRules {
  /** Ignores events without a value. */
  readonly requiresValue: boolean
  /** Ignores events that happened before their user got a variation. */
  readonly requiresPriorExposure: boolean
  /** Counts an event for the variation that it names, if its user got any: the denominator does not count users. */
  readonly trustsReportedVariation: boolean
  readonly summarize: (sample: SampleStatistics) => MetricSummary
}

/** The rules of each dimension (docs/guides/experiments.md, Metrics). */
export const metricDimensions: { readonly [D in MetricDimension]: DimensionRules } = {
  COUNT_PER_UNIQUE_USER: {
    requiresValue: false,
    requiresPriorExposure: false,
    trustsReportedVariation: false,
    summarize: ({ users, activeUserMeans }) => proportion(activeUserMeans.size, users)
  },
  COUNT_PER_VARIABLE_EVALUATION: {
    requiresValue: false,
    requiresPriorExposure: true,
    trustsReportedVariation: true,
    summarize: ({ events, evaluations }) => proportion(events, evaluations)
  },
  SUM_PER_UNIQUE_USER: {
    requiresValue: true,
    requiresPriorExposure: false,
    trustsReportedVariation: false,
    summarize: sums
  },
  AVERAGE_PER_UNIQUE_USER: {
    requiresValue: true,
    requiresPriorExposure: false,
    trustsReportedVariation: true,
    summarize: ({ activeUserMeans, total }) => {
      const { size, mean, sumOfSquares } = activeUserMeans
      return {
        ...means(mean * size, { size, mean, sumOfSquares }),
        totalValue: total
      }
    }
  },
  TOTAL_AVERAGE: {
    requiresValue: true,
    requiresPriorExposure: false,
    trustsReportedVariation: true,
    summarize: ({ total, events, maxEventsPerUser, activeUserMeans, eventSumOfSquares, clusterSumOfSquares }) => {
      const mean = events > 0 ? total / events : 0
      const size = activeUserMeans.size
      // The delta method for a ratio of sums over users, whose events are dependent (Deng, Knoblich and Lu 2018, §3).
      const variance = size > 1 ? (size / (size - 1)) * (clusterSumOfSquares / events / events) : 0
      return {
        numerator: total,
        denominator: events,
        avgValue: mean,
        totalValue: total,
        stdev: deviation(eventSumOfSquares, events),
        testInput:
          maxEventsPerUser > events * LARGEST_SHARE
            ? { test: 'none', reason: size < MIN_ACTIVE_USERS ? TOO_FEW_USERS : DOMINANT_USER }
            : { test: 'means', sample: { mean, variance, size } }
      }
    }
  },
  // Compared per user, since the sum of a variation grows with its number of users.
  TOTAL_SUM: { requiresValue: true, requiresPriorExposure: false, trustsReportedVariation: false, summarize: sums }
}

/**
 * A user with a larger share of the events dominates the mean, whose error then cannot be estimated from the variance
 * between users.
 */
const LARGEST_SHARE = 0.1

const DOMINANT_USER = 'has one user with more than a tenth of all events'

/** With fewer users, one of them always has a larger share than `LARGEST_SHARE`. */
const MIN_ACTIVE_USERS = 1 / LARGEST_SHARE

const TOO_FEW_USERS = 'has fewer than ten users with events'

function proportion(successes: number, trials: number): MetricSummary {
  return {
    numerator: successes,
    denominator: trials,
    testInput: { test: 'proportions', proportion: { successes, trials } }
  }
}

/** Users without events count with a sum of 0. */
function sums({ perUserSums, total }: SampleStatistics): MetricSummary {
  return { ...means(total, perUserSums), totalValue: total }
}

function means(numerator: number, { size, mean, sumOfSquares }: SampleStatistics['perUserSums']): MetricSummary {
  const variance = size > 1 ? sumOfSquares / (size - 1) / size : 0
  return {
    numerator,
    denominator: size,
    avgValue: size > 0 ? numerator / size : 0,
    stdev: deviation(sumOfSquares, size),
    testInput: { test: 'means', sample: { mean, variance, size } }
  }
}

/** The sample standard deviation, or 0 for fewer than two observations. */
function deviation(squares: number, size: number): number {
  return size > 1 ? Math.sqrt(squares / (size - 1)) : 0
}
