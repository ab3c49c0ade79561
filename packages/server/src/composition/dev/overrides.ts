import type { Config, Feature, Json, Target, Variable } from '@burgee/core'
import { formatValue, suggestion } from '@burgee/kit/text'
import { type LocalConfig, localId } from './localConfig.ts'

/** What replaces the results of the rules. */
export interface LocalOverrides {
  /** The value of a variable for all users, by key. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  /** The key of the variation of a feature for all users, by the key of the feature. */
  readonly features?: Readonly<Record<string, string>> | undefined
  /** The same for single users, by user id. */
  readonly users?:
    | Readonly<Record<string, { readonly features?: Readonly<Record<string, string>> | undefined }>>
    | undefined
}

/** Returns a config with overrides, and a message for each override that does not fit it. */
export function applyOverrides(
  config: LocalConfig,
  overrides: LocalOverrides
): { readonly config: LocalConfig; readonly issues: readonly string[] } {
  const issues: string[] = []
  const known = {
    variables: uniqueByKey(config.configs.flatMap((each) => each.config.variables)),
    features: uniqueByKey(config.configs.flatMap((each) => each.config.features))
  }
  const values = Object.entries(overrides.variables ?? {}).flatMap(([key, value]) => {
    const variable = known.variables.get(key)
    if (!variable) {
      issues.push(`there is no variable "${key}"${suggestion(key, known.variables.keys())}`)
      return []
    }
    if (!hasType(value, variable.type)) {
      issues.push(`variable "${key}" is a ${variable.type}, got ${formatValue(value)}`)
      return []
    }
    return [{ variable, value: value as Json }]
  })
  const resolve = (features: Readonly<Record<string, string>> = {}) =>
    Object.entries(features).flatMap(([key, variationKey]) => {
      const feature = known.features.get(key)
      if (!feature) {
        const others = suggestion(key, known.features.keys())
        issues.push(`feature "${key}" is not on in ${config.environment.key}${others}: override its variables instead`)
        return []
      }
      const variation = feature.variations.find((each) => each.key === variationKey)
      if (variation) return [[feature._id, variation._id] as const]
      const others = suggestion(
        variationKey,
        feature.variations.map((each) => each.key)
      )
      issues.push(`feature "${key}" has no variation "${variationKey}"${others}`)
      return []
    })
  const variations = new Map(resolve(overrides.features))
  const users = Object.entries(overrides.users ?? {}).map(([user, { features }]) => {
    return [user, { ...config.overrides[user], ...Object.fromEntries(resolve(features)) }] as const
  })
  return {
    issues,
    config: {
      ...config,
      overrides: { ...config.overrides, ...Object.fromEntries(users) },
      configs: config.configs.map((each) => ({
        ...each,
        config: withValues(withVariations(each.config, variations), values)
      }))
    }
  }
}

function uniqueByKey<T extends { readonly key: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.key, item]))
}

function hasType(value: unknown, type: Variable['type']): boolean {
  if (type === 'JSON') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type.toLowerCase()
}

/** Serves these variations, by the id of their feature, to all users. */
function withVariations(config: Config, variations: ReadonlyMap<string, string>): Config {
  if (variations.size === 0) return config
  const features = config.features.map((feature): Feature => {
    const _variation = variations.get(feature._id)
    if (_variation === undefined) return feature
    const targets = [allUsers(localId('override', feature._id), _variation)]
    return { ...feature, configuration: { ...feature.configuration, targets } }
  })
  return { ...config, features }
}

/** Gives variables these values for all users, by a feature of their own. Other variables stay as they are. */
function withValues(config: Config, values: readonly { readonly variable: Variable; readonly value: Json }[]): Config {
  const visible = values.filter(({ variable }) => config.variables.some(({ _id }) => _id === variable._id))
  if (visible.length === 0) return config
  const ids = new Set(visible.map(({ variable }) => variable._id))
  const remaining = config.features.map((feature): Feature => {
    // Engines of SDKs take the first feature that has a variable.
    const variations = feature.variations.map((variation) => ({
      ...variation,
      variables: variation.variables.filter(({ _var }) => !ids.has(_var))
    }))
    return { ...feature, variations }
  })
  const added = visible.map(({ variable, value }): Feature => {
    const _id = localId('override', variable._id)
    const variation = localId('override', variable._id, 'variation')
    return {
      _id,
      key: `override-${variable.key}`,
      type: 'ops',
      // SDKs expect them.
      settings: { optInEnabled: false, publicName: '', publicDescription: '' },
      variations: [{ _id: variation, key: 'override', name: 'Override', variables: [{ _var: variable._id, value }] }],
      configuration: { _id, targets: [allUsers(_id, variation)] }
    }
  })
  return { ...config, features: [...remaining, ...added] }
}

function allUsers(_id: string, _variation: string): Target {
  return {
    _id,
    name: 'Override',
    _audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: [{ _variation, percentage: 1 }]
  }
}
