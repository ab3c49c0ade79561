import type { Config } from './types/config.ts'
import type { Feature } from './types/feature.ts'
import type { Target } from './types/target.ts'

/** What single users get whatever the rules say: `user_id` → feature id → variation id. */
export type Overrides = ReadonlyMap<string, UserOverrides> | Readonly<Record<string, UserOverrides>>

/** Feature id → variation id. */
type UserOverrides = Readonly<Record<string, string>>

/**
 * The config in which each of these users gets their variations by targets at the top of the features, so that every
 * engine gives them those. It leaves out what names nothing here. Unlike the option `overrides` of evaluations, such a
 * target gives the reasons of any other, also saves a feature that cannot be decided, and leaves a variable that several
 * features carry to the last of them.
 */
export function withOverrides(config: Config, overrides: Overrides): Config {
  const entries = isMap(overrides) ? [...overrides] : Object.entries(overrides)
  const known = new Set(config.variables.map(({ _id }) => _id))
  const debugUsers = new Set<string>()
  const features = config.features.map((feature) => {
    const usersOf = usersByVariation(feature, entries, known)
    if (usersOf.size === 0) return feature
    const targets = [...usersOf].map(([variation, users]) => {
      for (const user of users) debugUsers.add(user)
      return toTarget(variation, users)
    })
    const { configuration } = feature
    return { ...feature, configuration: { ...configuration, targets: [...targets, ...configuration.targets] } }
  })
  return debugUsers.size === 0 ? config : { ...config, features, debugUsers: [...debugUsers] }
}

function isMap(overrides: Overrides): overrides is ReadonlyMap<string, UserOverrides> {
  return overrides instanceof Map
}

/** Variation id → the users who get it, for each variation of a feature that somebody gets. */
function usersByVariation(
  { _id, variations }: Feature,
  overrides: readonly (readonly [string, UserOverrides])[],
  known: ReadonlySet<string>
): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>()
  for (const [user, chosen] of overrides) {
    const id = Object.hasOwn(chosen, _id) ? chosen[_id] : undefined
    const variation = variations.find((one) => one._id === id)
    // A variation with an unknown variable cannot be served: it would take the feature away from the user.
    if (!variation?.variables.every(({ _var }) => known.has(_var))) continue
    const others = users.get(variation._id)
    if (others) others.push(user)
    else users.set(variation._id, [user])
  }
  return users
}

function toTarget(variation: string, users: readonly string[]): Target {
  return {
    _id: `override-${variation}`,
    type: 'override',
    _audience: {
      filters: {
        operator: 'and',
        filters: [{ type: 'user', subType: 'user_id', comparator: '=', values: users }]
      }
    },
    distribution: [{ _variation: variation, percentage: 1 }]
  }
}
