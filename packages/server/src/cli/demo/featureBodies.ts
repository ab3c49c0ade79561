import type { CreateFeature, TargetInput } from '@burgee/contract/schemas'
import type { Filter } from '@burgee/core'

/** The configurations of a new feature, by the keys of environments. */
export type Configurations = NonNullable<CreateFeature['configurations']>

/** A feature with one Boolean variable, which is on in some environments. */
export function toggle(
  key: string,
  name: string,
  type: NonNullable<CreateFeature['type']>,
  configurations: Configurations
): CreateFeature {
  return {
    key,
    name,
    type,
    tags: ['demo'],
    variables: [{ key, type: 'Boolean' }],
    variations: [
      { key: 'off', name: 'Off', variables: { [key]: false } },
      { key: 'on', name: 'On', variables: { [key]: true } }
    ],
    configurations
  }
}

/** The filter that matches every user. */
export const allUsers: Filter = { type: 'all' }

/** A target that serves the variation `on` to every user. */
export function everyone(): TargetInput {
  return target({ on: 1 }, 'Everyone', allUsers)
}

/** Serves variations by share (variation key → percentage) to users that match a filter. */
export function target(shares: Readonly<Record<string, number>>, name: string, filter: Filter): TargetInput {
  return {
    name,
    audience: { filters: { operator: 'and', filters: [filter] } },
    distribution: Object.entries(shares).map(([_variation, percentage]) => ({ _variation, percentage }))
  }
}

/** Serves these targets in one environment. */
export function active(...targets: TargetInput[]): Configurations[string] {
  return { status: 'active', targets }
}

/** Serves these targets in every environment. */
export function everywhere(...targets: TargetInput[]): Configurations {
  const configuration = active(...targets)
  return { development: configuration, staging: configuration, production: configuration }
}
