import type { Audience, Filter, Operator } from '../types/audience.ts'
import type { OffValue, Project } from '../types/config.ts'
import type { Feature, FeatureType, Variation } from '../types/feature.ts'
import type { Rollout, Share, Target } from '../types/target.ts'
import type { Json, Metadata } from '../types/variable.ts'
import { allUsers } from './filters.ts'

/** The rules of a test config, by key. Ids are derived from keys, so results are the same in every run. */
export interface TestRules<Flags extends object> {
  /** Feature key → feature. If several features serve a variable, the last one takes precedence. */
  readonly features?: Readonly<Record<string, TestFeature<Flags>>>
  /** Audience key → filters, all of which must match. */
  readonly audiences?: Readonly<Record<string, readonly (Filter | Operator)[]>>
  /** Variable key → flag metadata. */
  readonly metadata?: { readonly [Key in keyof Flags]?: Metadata }
  /** The settings of the project. Opt-in is enabled by default. */
  readonly settings?: NonNullable<Project['settings']>
}

/** A feature of a test config. */
export interface TestFeature<Flags extends object> {
  /** Default: `release`. */
  readonly type?: FeatureType
  /** Variation key → variable key → value. */
  readonly variations: Readonly<Record<string, Partial<Flags>>>
  /** Default: one target that serves the first variation to all users. */
  readonly targets?: readonly TestTarget[]
  /** The variation in OFREP responses for users whom the feature does not serve, for clients that require a value. */
  readonly off?: string
}

/** A target of a test config. */
export interface TestTarget {
  /** Part of the target's id. Default: the index, so adding a target before this one reassigns users to variations. */
  readonly name?: string
  /** Filters, all of which must match. Default: all users. */
  readonly filters?: readonly (Filter | Operator)[]
  /** The key of a variation, or the share of each from 0 to 1. Default: the first variation. */
  readonly serves?: string | Readonly<Record<string, number>>
  readonly rollout?: Rollout
  /** The custom attribute that is hashed instead of `user_id`. */
  readonly bucketingKey?: string
}

/**
 * Returns the features of rules, in order.
 *
 * @throws {TypeError} If a target serves a variation that its feature does not have.
 */
export function featuresOf<Flags extends object>({ features = {} }: TestRules<Flags>): Feature[] {
  return Object.entries(features).map(([key, feature]) => ({
    _id: key,
    key,
    type: feature.type ?? 'release',
    settings: { optInEnabled: true },
    variations: Object.entries(feature.variations).map(([name, values]) => toVariation(key, name, values)),
    configuration: {
      _id: `${key} in test`,
      targets: (feature.targets ?? [{}]).map((target, index) => toTarget(key, feature, target, index))
    }
  }))
}

/** Returns a variation with these values by variable key. The id of a variable is its key. */
export function toVariation(feature: string, key: string, values: object): Variation {
  const variables = Object.entries(values).map(([_var, value]: [string, Json]) => ({ _var, value }))
  return { _id: variationId(feature, key), key, name: key, variables }
}

/** Returns the id of a variation. */
export function variationId(feature: string, key: string): string {
  return `${feature} ${key}`
}

function toTarget<Flags extends object>(
  key: string,
  feature: TestFeature<Flags>,
  { name, filters = [allUsers], serves, rollout, bucketingKey }: TestTarget,
  index: number
): Target {
  const [first = ''] = Object.keys(feature.variations)
  return {
    _id: `${key} target ${name ?? index}`,
    ...(name === undefined ? {} : { name }),
    _audience: { filters: { operator: 'and', filters } },
    distribution: toDistribution(key, feature, serves ?? first),
    ...(rollout ? { rollout } : {}),
    ...(bucketingKey === undefined ? {} : { bucketingKey })
  }
}

function toDistribution<Flags extends object>(
  key: string,
  feature: TestFeature<Flags>,
  serves: string | Readonly<Record<string, number>>
): Share[] {
  const shares = typeof serves === 'string' ? { [serves]: 1 } : serves
  return Object.entries(shares).map(([variation, percentage]) => {
    return { _variation: knownVariation(key, feature, variation), percentage }
  })
}

/**
 * Returns the id of a feature's variation.
 *
 * @throws {TypeError} If the feature has no variation with this key.
 */
export function knownVariation<Flags extends object>(
  key: string,
  { variations }: TestFeature<Flags>,
  variation: string
): string {
  if (Object.hasOwn(variations, variation)) return variationId(key, variation)
  throw new TypeError(
    `feature "${key}" has no variation "${variation}"; it has: ${Object.keys(variations).join(', ') || 'none'}`
  )
}

/** Returns the audiences of rules by id. The id of an audience is its key. */
export function toAudiences({ audiences = {} }: TestRules<object>): Record<string, Audience> {
  const entries = Object.entries(audiences)
  return Object.fromEntries(entries.map(([key, filters]) => [key, { filters: { operator: 'and', filters } }]))
}

/** Returns the values in OFREP responses for unserved variables, by variable key. */
export function offValuesOf<Flags extends object>({ features = {} }: TestRules<Flags>): Record<string, OffValue> {
  const entries = Object.entries(features).flatMap(([key, feature]) => {
    const { off: variant } = feature
    if (variant === undefined) return []
    knownVariation(key, feature, variant)
    const { variables } = toVariation(key, variant, feature.variations[variant] ?? {})
    return variables.map(({ _var, value }) => [_var, { variant, value }] as const)
  })
  return Object.fromEntries(entries)
}
