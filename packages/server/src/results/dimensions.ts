import type { MetricDimension } from '@burgee/contract'
import type { Spread } from './spread.ts'
import type { Proportion } from './statistics/proportion.ts'
import type { Sample } from './statistics/welch.ts'

/** How a variation fares, in figures. */
export interface Figures {
  readonly numerator: number
  readonly denominator: number
  readonly avgValue?: number | undefined
  readonly totalValue?: number | undefined
  readonly stdev?: number | undefined
  /** What the variation is compared by. */
  readonly compared: Compared
}

/** What one test or the other takes, or why there is none. */
export type Compared =
  | { readonly test: 'proportions'; readonly proportion: Proportion }
  | { readonly test: 'means'; readonly sample: Sample }
  | { readonly test: 'none'; readonly reason: string }

/** What a metric makes of events. */
export interface Dimension {
  /** Only events with a value count. */
  readonly needsValue: boolean
  /** Only events count that came after the variation. */
  readonly onlyAfter: boolean
  /** What an event says of the variation is enough, if its user got any: what is compared does not need to know who got which. */
  readonly takesWord: boolean
  readonly figures: (spread: Spread) => Figures
}

/** Each dimension (`management.md` §5). */
export const dimensions: { readonly [D in MetricDimension]: Dimension } = {
  COUNT_PER_UNIQUE_USER: {
    needsValue: false,
    onlyAfter: false,
    takesWord: false,
    figures: ({ users, doers }) => proportion(doers.size, users)
  },
  COUNT_PER_VARIABLE_EVALUATION: {
    needsValue: false,
    onlyAfter: true,
    takesWord: true,
    figures: ({ events, evaluations }) => proportion(events, evaluations)
  },
  SUM_PER_UNIQUE_USER: { needsValue: true, onlyAfter: false, takesWord: false, figures: sums },
  AVERAGE_PER_UNIQUE_USER: {
    needsValue: true,
    onlyAfter: false,
    takesWord: true,
    figures: ({ doers, total }) => {
      const { size, mean, squares } = doers
      return {
        ...means(mean * size, { size, mean, squares }),
        totalValue: total
      }
    }
  },
  TOTAL_AVERAGE: {
    needsValue: true,
    onlyAfter: false,
    takesWord: true,
    figures: ({ total, events, most, doers, eventSquares, clusterSquares }) => {
      const mean = events > 0 ? total / events : 0
      const size = doers.size
      // The delta method for a ratio of sums over users (Deng, Knoblich and Lu 2018, §3): events of one user belong together.
      const variance = size > 1 ? (size / (size - 1)) * (clusterSquares / events / events) : 0
      return {
        numerator: total,
        denominator: events,
        avgValue: mean,
        totalValue: total,
        stdev: deviation(eventSquares, events),
        compared:
          most > events * LARGEST_SHARE
            ? { test: 'none', reason: 'has one user with more than a tenth of all events' }
            : { test: 'means', sample: { mean, variance, size } }
      }
    }
  },
  // The sum of a variation grows with its users, so that it is compared by what there is of it for each of them.
  TOTAL_SUM: { needsValue: true, onlyAfter: false, takesWord: false, figures: sums }
}

/** What part of all events one user may have: with more, the mean is theirs, and its error cannot be told from how users vary. */
const LARGEST_SHARE = 0.1

function proportion(successes: number, trials: number): Figures {
  return {
    numerator: successes,
    denominator: trials,
    compared: { test: 'proportions', proportion: { successes, trials } }
  }
}

/** Users without such an event count with nothing. */
function sums({ sums, total }: Spread): Figures {
  return { ...means(total, sums), totalValue: total }
}

function means(numerator: number, { size, mean, squares }: Spread['sums']): Figures {
  const variance = size > 1 ? squares / (size - 1) / size : 0
  return {
    numerator,
    denominator: size,
    avgValue: size > 0 ? numerator / size : 0,
    stdev: deviation(squares, size),
    compared: { test: 'means', sample: { mean, variance, size } }
  }
}

/** The standard deviation of a sample; none where there is one thing only. */
function deviation(squares: number, size: number): number {
  return size > 1 ? Math.sqrt(squares / (size - 1)) : 0
}
