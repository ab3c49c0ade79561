import type { MetricDimension } from '@burgee/contract/schemas'
import type { Arm } from './inference/compareArms.ts'
import type { UserMoments } from './inference/userMoments.ts'
import type { RatioOfUser, SampleStatistics } from './sampleStatistics.ts'

/** The figures of one variation. */
export interface MetricSummary {
  readonly numerator: number
  readonly denominator: number
  readonly avgValue?: number | undefined
  readonly totalValue?: number | undefined
  readonly stdev?: number | undefined
  /** What the statistical test compares. */
  readonly arm: Arm
  /** Why p-values and intervals of this variation are not valid. */
  readonly warning?: string | undefined
}

/** How a dimension is computed from events. */
export interface DimensionRules {
  /** Ignores events without a value. */
  readonly requiresValue: boolean
  /** Ignores events that happened before their user got a variation, regardless of the metric. */
  readonly requiresPriorExposure: boolean
  /** Counts an event for the variation that it names, if its user got any: the denominator does not count users. */
  readonly trustsReportedVariation: boolean
  readonly ratioOfUser: RatioOfUser
  /** @param areUsersKnown Whether the users of evaluations are known, of all variations. */
  readonly summarize: (sample: SampleStatistics, areUsersKnown: boolean) => MetricSummary
}

/** Whether the users of nearly all evaluations are known, so that users can be compared. */
export function areUsersKnown(samples: readonly SampleStatistics[]): boolean {
  const evaluated = samples.filter(({ evaluations }) => evaluations > 0)
  return (
    evaluated.length > 0 &&
    evaluated.every(({ evaluations, evaluationsOfUsers }) => evaluationsOfUsers >= evaluations * MIN_KNOWN_SHARE)
  )
}

const MIN_KNOWN_SHARE = 0.99

const sumPerUser: RatioOfUser = ({ isExposed, count, mean }) => (isExposed ? [count * mean, 1] : undefined)

/** The rules of each dimension (docs/guides/experiments.md, Metrics). */
export const metricDimensions: { readonly [D in MetricDimension]: DimensionRules } = {
  COUNT_PER_UNIQUE_USER: {
    requiresValue: false,
    requiresPriorExposure: false,
    trustsReportedVariation: false,
    ratioOfUser: ({ isExposed, count }) => (isExposed ? [count > 0 ? 1 : 0, 1] : undefined),
    summarize: ({ users, activeUsers }) => proportion(activeUsers, users)
  },
  COUNT_PER_VARIABLE_EVALUATION: {
    requiresValue: false,
    requiresPriorExposure: true,
    trustsReportedVariation: true,
    ratioOfUser: ({ count, evaluations }) => (count > 0 || evaluations > 0 ? [count, evaluations] : undefined),
    summarize: ({ events, evaluations, moments }, areUsersKnown) => {
      return areUsersKnown
        ? { numerator: events, denominator: evaluations, arm: { type: 'users', moments } }
        : { ...proportion(events, evaluations), ...(evaluations > 0 ? { warning: UNKNOWN_USERS } : {}) }
    }
  },
  SUM_PER_UNIQUE_USER: {
    requiresValue: true,
    requiresPriorExposure: false,
    trustsReportedVariation: false,
    ratioOfUser: sumPerUser,
    summarize: sums
  },
  AVERAGE_PER_UNIQUE_USER: {
    requiresValue: true,
    requiresPriorExposure: false,
    trustsReportedVariation: true,
    ratioOfUser: ({ count, mean }) => (count > 0 ? [mean, 1] : undefined),
    summarize: ({ moments, total }) => ({ ...means(moments.meanY * moments.size, moments), totalValue: total })
  },
  TOTAL_AVERAGE: {
    requiresValue: true,
    requiresPriorExposure: false,
    trustsReportedVariation: true,
    // The events of one user are dependent, so users are compared, not events.
    ratioOfUser: ({ count, mean }) => (count > 0 ? [count * mean, count] : undefined),
    summarize: ({ total, events, eventSumOfSquares, moments }) => ({
      numerator: total,
      denominator: events,
      avgValue: events > 0 ? total / events : 0,
      totalValue: total,
      stdev: deviation(eventSumOfSquares, events),
      arm: { type: 'users', moments }
    })
  },
  // Compared per user, since the sum of a variation grows with its number of users.
  TOTAL_SUM: {
    requiresValue: true,
    requiresPriorExposure: false,
    trustsReportedVariation: false,
    ratioOfUser: sumPerUser,
    summarize: sums
  }
}

const UNKNOWN_USERS =
  'evaluations were reported without users, so they are compared as if they were independent; p-values are too small if users have several'

function proportion(successes: number, trials: number): MetricSummary {
  return {
    numerator: successes,
    denominator: trials,
    arm: { type: 'count', proportion: { successes, trials } }
  }
}

/** Users without events count with a sum of 0. */
function sums({ moments, total }: SampleStatistics): MetricSummary {
  return { ...means(total, moments), totalValue: total }
}

function means(numerator: number, moments: UserMoments): MetricSummary {
  const { size, yy } = moments
  return {
    numerator,
    denominator: size,
    avgValue: size > 0 ? numerator / size : 0,
    stdev: deviation(yy, size),
    arm: { type: 'users', moments }
  }
}

/** The sample standard deviation, or 0 for fewer than two observations. */
function deviation(squares: number, size: number): number {
  return size > 1 ? Math.sqrt(squares / (size - 1)) : 0
}
