import type { Audience, Filter, Operator } from '../types/audience.ts'
import type { OffValue, Project } from '../types/config.ts'
import type { Feature, FeatureType, Variation } from '../types/feature.ts'
import type { Rollout, Share, Target } from '../types/target.ts'
import type { Json, Metadata } from '../types/variable.ts'
import { everybody } from './filters.ts'

/** The rules of a test config, everything by its key. Ids are made of the keys, so the same users get the same every time. */
export interface TestRules<Flags extends object> {
  /** By key, in order of precedence: the last one that serves a variable wins. */
  readonly features?: Readonly<Record<string, TestFeature<Flags>>>
  /** Audience key → the filters that all have to match. */
  readonly audiences?: Readonly<Record<string, readonly (Filter | Operator)[]>>
  /** Variable key → what clients are told of it besides its value. */
  readonly metadata?: { readonly [Key in keyof Flags]?: Metadata }
  /** Of the project. Opting in is enabled unless they say otherwise. */
  readonly settings?: NonNullable<Project['settings']>
}

/** A feature of a test config. */
export interface TestFeature<Flags extends object> {
  /** `release` unless it says otherwise. */
  readonly type?: FeatureType
  /** Variation key → the values of its variables. */
  readonly variations: Readonly<Record<string, Partial<Flags>>>
  /** One that serves the first variation to everybody, unless there are others. */
  readonly targets?: readonly TestTarget[]
  /** The variation that OFREP answers where the feature serves nothing, for clients that demand a value. */
  readonly off?: string
}

/** A target of a test config. */
export interface TestTarget {
  /** Goes into its id. Without one its place does, so that targets before it must not be added or removed. */
  readonly name?: string
  /** The filters that all have to match; without any, everybody does. */
  readonly filters?: readonly (Filter | Operator)[]
  /** The variation, or the share of each, fractions of 1. The first variation unless it says otherwise. */
  readonly serves?: string | Readonly<Record<string, number>>
  readonly rollout?: Rollout
  /** The custom attribute hashed instead of `user_id`. */
  readonly bucketingKey?: string
}

/**
 * The features of rules, in their order.
 *
 * @throws {TypeError} when one names a variation that it has not.
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

/** A variation with these values, by key of the variable, which is its id too. */
export function toVariation(feature: string, key: string, values: object): Variation {
  const variables = Object.entries(values).map(([_var, value]: [string, Json]) => ({ _var, value }))
  return { _id: variationId(feature, key), key, name: key, variables }
}

/** The id of a variation. */
export function variationId(feature: string, key: string): string {
  return `${feature} ${key}`
}

function toTarget<Flags extends object>(
  key: string,
  feature: TestFeature<Flags>,
  { name, filters = [everybody], serves, rollout, bucketingKey }: TestTarget,
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

/** The id of a variation that a feature has. @throws {TypeError} when it has none of this key. */
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

/** The audiences of rules, by id, which is the key. */
export function audiencesOf({ audiences = {} }: TestRules<object>): Record<string, Audience> {
  const entries = Object.entries(audiences)
  return Object.fromEntries(entries.map(([key, filters]) => [key, { filters: { operator: 'and', filters } }]))
}

/** What OFREP answers for unserved variables of the features that have an off variation. */
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
