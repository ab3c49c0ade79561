import type { Metric, MetricResult } from '@burgee/contract'
import { named } from '../find.ts'
import { given } from '../given.ts'
import type { StoredConfiguration, StoredFeature } from '../store/resources.ts'
import type { Look } from './measure.ts'
import { sampleRatio } from './sampleRatio.ts'
import { rateOf, variationResults } from './variationResults.ts'

/** What a result is made of, besides what was measured. */
export interface Shown {
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
export function metricResult(
  { feature: { variations }, configurations, control, optimize, now }: Shown,
  looks: readonly Look[]
): MetricResult['result'] {
  const chosen = named(variations, control)
  const place = chosen ? variations.indexOf(chosen) : 0
  const users = looks.at(-1)?.variations.map((look) => look.users) ?? []
  return {
    ...given({ control: variations[place]?.key }),
    dataSeries: looks
      .filter(({ date }) => Date.parse(date) <= now)
      .map(({ date, variations: measured }) => {
        const rates = variations.flatMap(({ key }, index) => {
          const one = measured[index]
          return one && one.denominator > 0 ? [[key, rateOf(one)] as const] : []
        })
        return { date, values: Object.fromEntries(rates) }
      }),
    variations: variationResults(variations, looks, { control: place, optimize }),
    sampleRatio: sampleRatio(variations, users, configurations)
  }
}
