import type { Config } from './types/config.ts'
import type { Feature } from './types/feature.ts'
import type { Target } from './types/target.ts'

/** The variations that single users get regardless of targets: `user_id` → feature id → variation id. */
export type Overrides = ReadonlyMap<string, UserOverrides> | Readonly<Record<string, UserOverrides>>

/** Feature id → variation id. */
type UserOverrides = Readonly<Record<string, string>>

/**
 * Returns the config with overrides as targets in front of the others, which every evaluation engine supports. Ignores
 * overrides that name an unknown feature or variation.
 *
 * The results differ from those of the option `overrides`: the reason is that of a target, the override applies even if
 * the feature cannot be evaluated, and the last feature takes precedence for a variable of several features.
 */
export function withOverrides(config: Config, overrides: Overrides): Config {
  const entries = isMap(overrides) ? [...overrides] : Object.entries(overrides)
  const variableIds = new Set(config.variables.map(({ _id }) => _id))
  const debugUsers = new Set<string>()
  const features = config.features.map((feature) => {
    const usersOf = usersByVariation(feature, entries, variableIds)
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

/** Returns the users who get each variation of a feature, by variation id. Omits variations without users. */
function usersByVariation(
  { _id, variations }: Feature,
  overrides: readonly (readonly [string, UserOverrides])[],
  variableIds: ReadonlySet<string>
): ReadonlyMap<string, readonly string[]> {
  const usersOf = new Map<string, string[]>()
  for (const [user, variationIds] of overrides) {
    const id = Object.hasOwn(variationIds, _id) ? variationIds[_id] : undefined
    const variation = variations.find((candidate) => candidate._id === id)
    // A target that serves a variation with an unknown variable would make the feature fail for the user.
    if (!variation?.variables.every(({ _var }) => variableIds.has(_var))) continue
    const users = usersOf.get(variation._id)
    if (users) users.push(user)
    else usersOf.set(variation._id, [user])
  }
  return usersOf
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
