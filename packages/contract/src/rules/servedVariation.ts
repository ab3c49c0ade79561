import { isProtected } from '../access/isProtected.ts'
import type { Feature } from '../schema/features/feature.ts'
import type { Environment } from '../schema/projects/environment.ts'
import { unknown, type VariationForAll, variationForAll } from './variationForAll.ts'

/** A feature in one environment: its status, and the key of the variation that all users get. */
export interface EnvironmentState {
  readonly key: string
  readonly type: Environment['type']
  readonly status: Feature['configurations'][number]['status']
  readonly served: ServedVariation
}

/** The key of the variation that all users get, or why there is no such variation. */
export type ServedVariation = { readonly variation: string } | Extract<VariationForAll, { readonly variation: null }>

/** The members of a feature that determine which variation it serves. */
export type ServedFeature = Pick<Feature, 'status' | 'variations' | 'staticVariation' | 'configurations'>

/**
 * Returns the state of a feature in each environment in which it has a configuration. `now` is in epoch milliseconds.
 * Users outside an unfinished rollout count as undecided, also in projects with passthrough rollouts.
 */
export function environmentStates(
  feature: ServedFeature,
  environments: readonly Pick<Environment, '_id' | 'key' | 'type'>[],
  now: number
): readonly EnvironmentState[] {
  return environments.flatMap(({ _id, key, type }) => {
    const configuration = feature.configurations.find(({ _environment }) => _environment === _id)
    if (!configuration) return []
    return [{ key, type, status: configuration.status, served: servedVariation(feature, configuration, now) }]
  })
}

/** Returns the key of the variation that all users of all production environments get. */
export function servedInProduction(states: readonly EnvironmentState[]): ServedVariation {
  const production = states.filter(isProtected)
  const [first] = production
  if (!first) return unknown('the project has no environment of the type production or disaster_recovery')
  if (production.every(({ status }) => status === 'inactive')) return first.served
  for (const { key, served } of production) {
    if (served.variation === null) return unknown(`in environment ${JSON.stringify(key)}, ${served.why}`)
    if (served.variation === first.served.variation) continue
    const [one, other] = [first, { key, served }].map(({ key, served }) => {
      return `${JSON.stringify(served.variation)} in ${JSON.stringify(key)}`
    })
    return unknown(`production environments differ: users get ${one} and ${other}`)
  }
  return first.served
}

function servedVariation(
  feature: ServedFeature,
  configuration: ServedFeature['configurations'][number],
  now: number
): ServedVariation {
  const { status, staticVariation, variations } = feature
  if (status === 'archived') return unknown('the feature is archived: users get the defaults in the code')
  if (status === 'complete' && configuration.status === 'active' && staticVariation) {
    return { variation: staticVariation }
  }
  const found = variationForAll(configuration, { now })
  if (found.variation === null) return found
  const { key } = variations.find(({ _id }) => _id === found.variation) ?? {}
  return key === undefined
    ? unknown('its targets serve a variation that the feature does not have')
    : { variation: key }
}
