import type { MetricResult } from '@burgee/contract'
import type { StoredFeature } from '../store/resources.ts'

/**
 * How the variations of a feature fare by a metric, all in all and on each of these days, as counted `at` a moment.
 * Nothing counts events yet; and where nothing is counted, nothing can be compared with the control.
 */
export function metricResult(
  { variations }: Pick<StoredFeature, 'variations'>,
  days: readonly string[],
  at: string
): MetricResult {
  return {
    result: {
      dataSeries: days.map((date) => ({ date, values: Object.fromEntries(variations.map(({ key }) => [key, 0])) })),
      variations: variations.map(({ key, name }) => ({
        key,
        name,
        numerator: 0,
        denominator: 0,
        rate: 0,
        percentDifference: null,
        chanceToBeatControl: null
      }))
    },
    cached: false,
    updatedAt: at
  }
}
