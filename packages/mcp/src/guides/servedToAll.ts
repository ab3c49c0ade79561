import {
  type Environment,
  type Feature,
  type FeatureConfiguration,
  isProtected,
  type Rollout,
  type Target
} from '@burgee/contract/schemas'

/** The key of the variation that everybody gets; or why there is none, as far as can be told. */
export type Served = { readonly variation: string } | { readonly variation: null; readonly why: string }

/** What a feature does in one environment. */
export interface EnvironmentState {
  readonly key: string
  readonly type: Environment['type']
  readonly status: FeatureConfiguration['status']
  readonly served: Served
}

/** What everybody gets in production: the same in all production environments in which the feature is on. */
export function servedInProduction(states: readonly EnvironmentState[]): Served {
  const production = states.filter(isProtected)
  if (production.length === 0)
    return unclear('the project has no environment of the type production or disaster_recovery')
  const [first, ...others] = production.filter(({ status }) => status === 'active')
  if (!first) return production[0]?.served ?? unclear(OFF)
  for (const { key, served } of [first, ...others]) {
    if (served.variation === null) return unclear(`in environment ${JSON.stringify(key)}, ${served.why}`)
    if (served.variation === first.served.variation) continue
    const [one, other] = [first, { key, served }].map(({ key, served }) => {
      return `${JSON.stringify(served.variation)} in ${JSON.stringify(key)}`
    })
    return unclear(`production environments differ: users get ${one} and ${other}`)
  }
  return first.served
}

const OFF = 'the feature is off: users get the defaults in the code'

/** What everybody gets in one environment, at a moment. */
export function servedToAll(feature: Feature, { status, targets }: FeatureConfiguration, now: number): Served {
  if (feature.status === 'archived') return unclear('the feature is archived: users get the defaults in the code')
  if (status === 'inactive') return unclear(OFF)
  if (feature.status === 'complete' && feature.staticVariation) return { variation: feature.staticVariation }
  const variation = variationForAll(targets, now)
  if (typeof variation === 'object') return unclear(variation.why)
  const { key } = feature.variations.find(({ _id }) => _id === variation) ?? {}
  return key === undefined
    ? unclear('its targets serve a variation that the feature does not have')
    : { variation: key }
}

/** The id of the variation that all users get who come to these targets: all they can come to serve the same one, whole. */
function variationForAll(targets: readonly Target[], now: number): string | { readonly why: string } {
  let everybodys: string | undefined
  for (const [index, target] of targets.entries()) {
    const name = target.name === undefined ? `target ${index + 1}` : `target ${JSON.stringify(target.name)}`
    const [share, ...others] = target.distribution.filter(({ percentage }) => percentage > 0)
    if (!share || others.length > 0) return { why: `${name} splits users between variations` }
    if (target.rollout && !isFinished(target.rollout, now)) return { why: `the rollout of ${name} is not at its end` }
    everybodys ??= share._variation
    if (everybodys !== share._variation) return { why: `${name} serves another variation than those before it` }
    if (isForAll(target.audience.filters)) return everybodys
  }
  return { why: 'no target is for all users: the others get the defaults in the code' }
}

/** Whether filters let everybody through as they stand there. */
function isForAll({ filters = [] }: Target['audience']['filters']): boolean {
  return filters.length > 0 && filters.every((each) => ('operator' in each ? isForAll(each) : each.type === 'all'))
}

/** Whether a rollout admits everybody, and will go on to. */
function isFinished({ type, startDate, stages = [] }: Rollout, now: number): boolean {
  if (type === 'schedule') return Date.parse(startDate) <= now
  const last = stages.at(-1)
  return last !== undefined && last.percentage === 1 && stages.every(({ date }) => Date.parse(date) <= now)
}

function unclear(why: string): Served {
  return { variation: null, why }
}
