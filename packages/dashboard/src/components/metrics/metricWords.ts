import type { Metric } from '@burgee/contract/schemas'

/** What a metric computes, in words. */
interface DimensionWords {
  readonly title: string
  /** The name of the figure of a variation. */
  readonly figure: string
  readonly numerator: string
  readonly denominator: string
  readonly hint: string
  /** Whether the figure is a share of users. */
  readonly isShare: boolean
}

/** The words of each dimension, in the order of forms. */
export const dimensionWords: Readonly<Record<Metric['dimension'], DimensionWords>> = {
  COUNT_PER_UNIQUE_USER: {
    title: 'Share of users with the event',
    figure: 'Rate',
    numerator: 'With the event',
    denominator: 'Users',
    hint: 'How many of the users of a variation have the event at least once.',
    isShare: true
  },
  COUNT_PER_VARIABLE_EVALUATION: {
    title: 'Events per evaluation',
    figure: 'Per evaluation',
    numerator: 'Events',
    denominator: 'Evaluations',
    hint: 'Events after a user got the variation, for each evaluation of it.',
    isShare: false
  },
  SUM_PER_UNIQUE_USER: {
    title: 'Sum of values per user',
    figure: 'Mean sum',
    numerator: 'Sum',
    denominator: 'Users',
    hint: 'Users without the event count as 0.',
    isShare: false
  },
  AVERAGE_PER_UNIQUE_USER: {
    title: 'Mean value of users with the event',
    figure: 'Mean',
    numerator: 'Sum of means',
    denominator: 'Users with the event',
    hint: 'The mean value of each user, averaged over the users who have the event.',
    isShare: false
  },
  TOTAL_AVERAGE: {
    title: 'Mean value per event',
    figure: 'Mean',
    numerator: 'Sum',
    denominator: 'Events',
    hint: 'The sum of all values, divided by the number of events.',
    isShare: false
  },
  TOTAL_SUM: {
    title: 'Sum of all values',
    figure: 'Mean per user',
    numerator: 'Sum',
    denominator: 'Users',
    hint: 'Compared per user, so a variation with more users has no advantage.',
    isShare: false
  }
}

/** What is measured and which direction is better, in one sentence. */
export function describeMetric({ event, dimension, optimize }: Pick<Metric, 'event' | 'dimension' | 'optimize'>) {
  return `${dimensionWords[dimension].title} “${event}”; ${optimizeWords[optimize]}`
}

/** The direction that is better. */
export const optimizeWords = { increase: 'more is better', decrease: 'less is better' } as const

/** From when the events of a user count. */
export const countsFromWords = {
  firstExposure: 'Since the user first got a variation',
  startDate: 'Since the first day of the range'
} as const
