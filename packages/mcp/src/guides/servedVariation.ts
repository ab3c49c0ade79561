import {
  type Environment,
  type Feature,
  type FeatureConfiguration,
  isProtected,
  type Rollout,
  type Target
} from '@burgee/contract/schemas'

/** The key of the variation that all users get, or why there is no such variation. */
export type ServedVariation = { readonly variation: string } | { readonly variation: null; readonly why: string }

/** The state of a feature in one environment. */
export interface EnvironmentState {
  readonly key: string
  readonly type: Environment['type']
  readonly status: FeatureConfiguration['status']
  readonly served: ServedVariation
}

/** Returns the variation that all users get in all production environments where the feature is on. */
export function servedInProduction(states: readonly EnvironmentState[]): ServedVariation {
  const production = states.filter(isProtected)
  if (production.length === 0)
    return unknown('the project has no environment of the type production or disaster_recovery')
  const [first, ...others] = production.filter(({ status }) => status === 'active')
  if (!first) return production[0]?.served ?? unknown(OFF)
  for (const { key, served } of [first, ...others]) {
    if (served.variation === null) return unknown(`in environment ${JSON.stringify(key)}, ${served.why}`)
    if (served.variation === first.served.variation) continue
    const [one, other] = [first, { key, served }].map(({ key, served }) => {
      return `${JSON.stringify(served.variation)} in ${JSON.stringify(key)}`
    })
    return unknown(`production environments differ: users get ${one} and ${other}`)
  }
  return first.served
}

const OFF = 'the feature is off: users get the defaults in the code'

/** Returns the variation that all users get in one environment. */
export function servedVariation(
  feature: Feature,
  { status, targets }: FeatureConfiguration,
  now: number
): ServedVariation {
  if (feature.status === 'archived') return unknown('the feature is archived: users get the defaults in the code')
  if (status === 'inactive') return unknown(OFF)
  if (feature.status === 'complete' && feature.staticVariation) return { variation: feature.staticVariation }
  const variation = variationForAll(targets, now)
  if (typeof variation === 'object') return unknown(variation.why)
  const { key } = feature.variations.find(({ _id }) => _id === variation) ?? {}
  return key === undefined
    ? unknown('its targets serve a variation that the feature does not have')
    : { variation: key }
}

/** Returns the id of the variation that every reachable target serves without a split. */
function variationForAll(targets: readonly Target[], now: number): string | { readonly why: string } {
  let sole: string | undefined
  for (const [index, target] of targets.entries()) {
    const name = target.name === undefined ? `target ${index + 1}` : `target ${JSON.stringify(target.name)}`
    const [share, ...others] = target.distribution.filter(({ percentage }) => percentage > 0)
    if (!share || others.length > 0) return { why: `${name} splits users between variations` }
    if (target.rollout && !isFinished(target.rollout, now)) return { why: `the rollout of ${name} is in progress` }
    sole ??= share._variation
    if (sole !== share._variation) return { why: `${name} serves a different variation than the targets before it` }
    if (isForAll(target.audience.filters)) return sole
  }
  return { why: 'no target is for all users: the rest get the defaults in the code' }
}

/** Whether filters consist of `all` filters only. Other filters that match every user do not count. */
function isForAll({ filters = [] }: Target['audience']['filters']): boolean {
  return filters.length > 0 && filters.every((each) => ('operator' in each ? isForAll(each) : each.type === 'all'))
}

/** Whether a rollout has reached all users permanently. */
function isFinished({ type, startDate, stages = [] }: Rollout, now: number): boolean {
  if (type === 'schedule') return Date.parse(startDate) <= now
  const last = stages.at(-1)
  return last !== undefined && last.percentage === 1 && stages.every(({ date }) => Date.parse(date) <= now)
}

function unknown(why: string): ServedVariation {
  return { variation: null, why }
}
