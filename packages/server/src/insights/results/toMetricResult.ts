import type { Metric, MetricResult } from '@burgee/contract/schemas'
import { findByKeyOrId, omitUndefined } from '@burgee/kit'
import type { StoredConfiguration, StoredFeature } from '../../storage/resources/feature.ts'
import type { InterimResult } from './computeTimeSeries.ts'
import { toSampleRatio } from './toSampleRatio.ts'
import { metricRate, toVariationResults } from './toVariationResults.ts'

/** The input of a metric result besides the time series. */
export interface MetricResultContext {
  readonly feature: Pick<StoredFeature, 'variations'>
  /** The configurations of the requested environments. */
  readonly configurations: readonly Pick<StoredConfiguration, 'status' | 'targets'>[]
  /** Key or id of the control variation; if it does not exist, the first variation is the control. */
  readonly control: string
  readonly optimize: Metric['optimize']
  /** In epoch milliseconds. Later days are left out of the data series. */
  readonly now: number
}

/** Converts a time series to the result of a metric. */
export function toMetricResult(
  { feature: { variations }, configurations, control: controlName, optimize, now }: MetricResultContext,
  interimResults: readonly InterimResult[]
): MetricResult['result'] {
  const named = findByKeyOrId(variations, controlName)
  const control = named ? variations.indexOf(named) : 0
  const users = interimResults.at(-1)?.variations.map((result) => result.users) ?? []
  return {
    ...omitUndefined({ control: variations[control]?.key }),
    dataSeries: interimResults
      .filter(({ date }) => Date.parse(date) <= now)
      .map(({ date, variations: results }) => {
        const rates = variations.flatMap(({ key }, index) => {
          const result = results[index]
          return result && result.denominator > 0 ? [[key, metricRate(result)] as const] : []
        })
        return { date, values: Object.fromEntries(rates) }
      }),
    variations: toVariationResults(variations, interimResults, { control, optimize }),
    sampleRatio: toSampleRatio(variations, users, configurations)
  }
}
