import type { Metric, MetricResult } from '@burgee/contract/schemas'
import { findByKeyOrId } from '../../access/lookup.ts'
import { omitUndefined } from '../../lib/object.ts'
import type { StoredConfiguration, StoredFeature } from '../../storage/resources.ts'
import type { InterimResult } from './computeTimeSeries.ts'
import { toSampleRatio } from './toSampleRatio.ts'
import { metricRate, toVariationResults } from './toVariationResults.ts'

/** What a result is made of, besides what was measured. */
export interface MetricResultContext {
  readonly feature: Pick<StoredFeature, 'variations'>
  /** Those of the environments asked for. */
  readonly configurations: readonly Pick<StoredConfiguration, 'status' | 'targets'>[]
  /** Key or id of the variation that the others are compared with; the first, where there is none of that name. */
  readonly control: string
  readonly optimize: Metric['optimize']
  /** In epoch milliseconds: days that have not begun are not told of. */
  readonly now: number
}

/** How the variations of a feature fare by a metric, all in all and until the end of each day. */
export function toMetricResult(
  { feature: { variations }, configurations, control, optimize, now }: MetricResultContext,
  looks: readonly InterimResult[]
): MetricResult['result'] {
  const chosen = findByKeyOrId(variations, control)
  const place = chosen ? variations.indexOf(chosen) : 0
  const users = looks.at(-1)?.variations.map((look) => look.users) ?? []
  return {
    ...omitUndefined({ control: variations[place]?.key }),
    dataSeries: looks
      .filter(({ date }) => Date.parse(date) <= now)
      .map(({ date, variations: measured }) => {
        const rates = variations.flatMap(({ key }, index) => {
          const one = measured[index]
          return one && one.denominator > 0 ? [[key, metricRate(one)] as const] : []
        })
        return { date, values: Object.fromEntries(rates) }
      }),
    variations: toVariationResults(variations, looks, { control: place, optimize }),
    sampleRatio: toSampleRatio(variations, users, configurations)
  }
}
