import type { MetricDimension } from '@burgee/contract/schemas'
import type { SampleStatistics } from './sampleStatistics.ts'
import type { Proportion } from './statistics/proportion.ts'
import type { MeanSample } from './statistics/welch.ts'

/** How a variation fares, in figures. */
export interface MetricSummary {
  readonly numerator: number
  readonly denominator: number
  readonly avgValue?: number | undefined
  readonly totalValue?: number | undefined
  readonly stdev?: number | undefined
  /** What the variation is compared by. */
  readonly testInput: TestInput
}

/** What one test or the other takes, or why there is none. */
export type TestInput =
  | { readonly test: 'proportions'; readonly proportion: Proportion }
  | { readonly test: 'means'; readonly sample: MeanSample }
  | { readonly test: 'none'; readonly reason: string }

/** What a metric makes of events. */
export interface DimensionRules {
  /** Only events with a value count. */
  readonly requiresValue: boolean
  /** Only events count that came after the variation. */
  readonly requiresPriorExposure: boolean
  /** What an event says of the variation is enough, if its user got any: what is compared does not need to know who got which. */
  readonly trustsReportedVariation: boolean
  readonly summarize: (spread: SampleStatistics) => MetricSummary
}

/** Each dimension (`management.md` §5). */
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
      // The delta method for a ratio of sums over users (Deng, Knoblich and Lu 2018, §3): events of one user belong together.
      const variance = size > 1 ? (size / (size - 1)) * (clusterSumOfSquares / events / events) : 0
      return {
        numerator: total,
        denominator: events,
        avgValue: mean,
        totalValue: total,
        stdev: deviation(eventSumOfSquares, events),
        testInput:
          maxEventsPerUser > events * LARGEST_SHARE
            ? { test: 'none', reason: 'has one user with more than a tenth of all events' }
            : { test: 'means', sample: { mean, variance, size } }
      }
    }
  },
  // The sum of a variation grows with its users, so that it is compared by what there is of it for each of them.
  TOTAL_SUM: { requiresValue: true, requiresPriorExposure: false, trustsReportedVariation: false, summarize: sums }
}

/** What part of all events one user may have: with more, the mean is theirs, and its error cannot be told from how users vary. */
const LARGEST_SHARE = 0.1

function proportion(successes: number, trials: number): MetricSummary {
  return {
    numerator: successes,
    denominator: trials,
    testInput: { test: 'proportions', proportion: { successes, trials } }
  }
}

/** Users without such an event count with nothing. */
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

/** The standard deviation of a sample; none where there is one thing only. */
function deviation(squares: number, size: number): number {
  return size > 1 ? Math.sqrt(squares / (size - 1)) : 0
}
