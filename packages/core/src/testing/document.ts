import type { Config } from '../types/config.ts'
import type { Feature } from '../types/feature.ts'
import type { Json, Variable, VariableType } from '../types/variable.ts'
import { withOverrides } from '../withOverrides.ts'
import { featuresOf, offValuesOf, type TestRules, toAudiences, toVariation, variationId } from './rules.ts'

/** The changes of a test to its config. */
export interface Changes {
  /** The variables without a value for all users. */
  readonly removed: Set<string>
  /** Variable key → value for all users. */
  readonly set: Map<string, Json>
  /** User id → variable key → value. */
  readonly forcedValues: Map<string, Readonly<Record<string, Json>>>
  /** User id → feature id → variation id. */
  readonly forcedVariations: Map<string, Readonly<Record<string, string>>>
}

/** Builds the config document of a test from values for all users, rules, and changes. */
export function toDocument<Flags extends object>(
  values: Partial<Flags>,
  rules: TestRules<Flags>,
  changes: Changes
): Config {
  const { removed, set, forcedValues, forcedVariations } = changes
  const kept = Object.entries(values).filter(([key]) => !removed.has(key))
  const config: Config = {
    project: { _id: 'test', key: 'test', settings: { optIn: { enabled: true }, ...rules.settings } },
    environment: { _id: 'test', key: 'test' },
    // If several features serve a variable, the last one takes precedence.
    features: [
      ...featureForAllUsers(DEFAULTS, Object.fromEntries(kept)),
      ...featuresOf(rules),
      ...featureForAllUsers(SET, Object.fromEntries(set)),
      ...(forcedValues.size > 0 ? [featureForForcedUsers(forcedValues)] : [])
    ],
    variables: variablesOf(values, rules, changes),
    audiences: toAudiences(rules),
    offValues: offValuesOf(rules)
  }
  const overrides = new Map(forcedVariations)
  for (const user of forcedValues.keys()) {
    overrides.set(user, { ...overrides.get(user), [FORCED]: variationId(FORCED, user) })
  }
  return withOverrides(config, overrides)
}

// The features that hold values without rules. Feature keys contain no spaces, so these cannot collide.
const DEFAULTS = 'test defaults'
const SET = 'test set'
const FORCED = 'test forced'

/** Returns a feature that serves these values to all users, or nothing if there are no values. */
function featureForAllUsers(key: string, values: object): Feature[] {
  if (Object.keys(values).length === 0) return []
  return featuresOf({ features: { [key]: { variations: { everyone: values } } } })
}

/** Returns a feature with a variation for each user. Overrides assign them. */
function featureForForcedUsers(forcedValues: Changes['forcedValues']): Feature {
  const variations = [...forcedValues].map(([user, values]) => toVariation(FORCED, user, values))
  return { _id: FORCED, key: FORCED, type: 'release', variations, configuration: { _id: FORCED, targets: [] } }
}

/**
 * Returns every variable that has a value.
 *
 * @throws {TypeError} If a value has no variable type, or its type differs from that of the variable's other values.
 */
function variablesOf<Flags extends object>(
  defaults: Partial<Flags>,
  { features = {}, metadata = {} }: TestRules<Flags>,
  { set, forcedValues }: Changes
): Variable[] {
  const variationValues = Object.values(features).flatMap(({ variations }) => Object.values(variations))
  const types = new Map<string, VariableType>()
  for (const values of [defaults, ...variationValues, Object.fromEntries(set), ...forcedValues.values()]) {
    for (const [key, value] of Object.entries(values)) {
      const type = variableTypeOf(key, value)
      const before = types.get(key) ?? type
      if (before !== type) throw new TypeError(`variable "${key}" cannot be both a ${before} and a ${type}`)
      types.set(key, type)
    }
  }
  const metadataByKey = new Map(Object.entries<Variable['metadata']>(metadata))
  return [...types].map(([key, type]) => {
    const own = metadataByKey.get(key)
    return { _id: key, key, type, ...(own ? { metadata: own } : {}) }
  })
}

/** Asserts that JSON can express a value: a Date would become `{}`, and NaN null. @throws {TypeError} if it cannot. */
function assertJson(key: string, value: unknown, path: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError(`variable "${key}" should be JSON, got ${value} at ${path}`)
  }
  if (typeof value !== 'object' || value === null) return
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1)
  if (Array.isArray(value)) for (const [index, item] of value.entries()) assertJson(key, item, `${path}[${index}]`)
  else if (kind === 'Object')
    for (const [name, member] of Object.entries(value)) assertJson(key, member, `${path}.${name}`)
  else throw new TypeError(`variable "${key}" should be JSON, got a ${kind} at ${path}`)
}

/**
 * Returns the type of a variable with this value.
 *
 * @throws {TypeError} If no variable can have this value.
 */
export function variableTypeOf(key: string, value: unknown): VariableType {
  switch (typeof value) {
    case 'boolean':
      return 'Boolean'
    case 'number':
      assertJson(key, value, key)
      return 'Number'
    case 'string':
      return 'String'
    case 'object':
      if (value === null) break
      assertJson(key, value, key)
      return 'JSON'
  }
  throw new TypeError(`variable "${key}" should be a string, a number, a boolean or an object, got ${String(value)}`)
}
