import type { Config } from '../types/config.ts'
import type { Feature } from '../types/feature.ts'
import type { Json, Variable, VariableType } from '../types/variable.ts'
import { withOverrides } from '../withOverrides.ts'
import { audiencesOf, featuresOf, offValuesOf, type TestRules, toVariation, variationId } from './rules.ts'

/** What a test changed about its config. */
export interface Changes {
  /** The variables whose value for everybody was taken away. */
  readonly removed: Set<string>
  readonly set: Map<string, Json>
  /** User id → variable key → value. */
  readonly forced: Map<string, Readonly<Record<string, Json>>>
  /** User id → feature id → variation id. */
  readonly chosen: Map<string, Readonly<Record<string, string>>>
}

/** The config document that values for everybody, rules, and changes of both come to. */
export function toDocument<Flags extends object>(
  values: Partial<Flags>,
  rules: TestRules<Flags>,
  changes: Changes
): Config {
  const { removed, set, forced, chosen } = changes
  const kept = Object.entries(values).filter(([key]) => !removed.has(key))
  const config: Config = {
    project: { _id: 'test', key: 'test', settings: { optIn: { enabled: true }, ...rules.settings } },
    environment: { _id: 'test', key: 'test' },
    // The last feature that serves a variable wins.
    features: [
      ...forEverybody(DEFAULTS, Object.fromEntries(kept)),
      ...featuresOf(rules),
      ...forEverybody(SET, Object.fromEntries(set)),
      ...(forced.size > 0 ? [forUsers(forced)] : [])
    ],
    variables: variablesOf(values, rules, changes),
    audiences: audiencesOf(rules),
    offValues: offValuesOf(rules)
  }
  const overrides = new Map(chosen)
  for (const user of forced.keys()) {
    overrides.set(user, { ...overrides.get(user), [FORCED]: variationId(FORCED, user) })
  }
  return withOverrides(config, overrides)
}

// The features that hold what no rule says. Keys have no spaces, so none of them is a feature of a test.
const DEFAULTS = 'test defaults'
const SET = 'test set'
const FORCED = 'test forced'

/** A feature that gives everybody these values; none when there are no values. */
function forEverybody(key: string, values: object): Feature[] {
  if (Object.keys(values).length === 0) return []
  return featuresOf({ features: { [key]: { variations: { everybody: values } } } })
}

/** A feature with a variation for each user, which overrides give them. */
function forUsers(forced: Changes['forced']): Feature {
  const variations = [...forced].map(([user, values]) => toVariation(FORCED, user, values))
  return { _id: FORCED, key: FORCED, type: 'release', variations, configuration: { _id: FORCED, targets: [] } }
}

/** Every variable that anything gives a value. @throws {TypeError} when its values are of several types, or of none. */
function variablesOf<Flags extends object>(
  defaults: Partial<Flags>,
  { features = {}, metadata = {} }: TestRules<Flags>,
  { set, forced }: Changes
): Variable[] {
  const ruled = Object.values(features).flatMap(({ variations }) => Object.values(variations))
  const types = new Map<string, VariableType>()
  for (const values of [defaults, ...ruled, Object.fromEntries(set), ...forced.values()]) {
    for (const [key, value] of Object.entries(values)) {
      const type = variableTypeOf(key, value)
      const before = types.get(key) ?? type
      if (before !== type) throw new TypeError(`variable "${key}" cannot be both a ${before} and a ${type}`)
      types.set(key, type)
    }
  }
  const facts = new Map(Object.entries<Variable['metadata']>(metadata))
  return [...types].map(([key, type]) => {
    const own = facts.get(key)
    return { _id: key, key, type, ...(own ? { metadata: own } : {}) }
  })
}

/** Asserts that copying an object loses nothing: a Date, for example, would become `{}`. @throws {TypeError} when it would. */
function assertJson(key: string, value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1)
  if (Array.isArray(value)) for (const [index, item] of value.entries()) assertJson(key, item, `${path}[${index}]`)
  else if (kind === 'Object')
    for (const [name, member] of Object.entries(value)) assertJson(key, member, `${path}.${name}`)
  else throw new TypeError(`variable "${key}" should be JSON, got a ${kind} at ${path}`)
}

/** The type of the variables that have values like this one. @throws {TypeError} when no variable has. */
export function variableTypeOf(key: string, value: unknown): VariableType {
  switch (typeof value) {
    case 'boolean':
      return 'Boolean'
    case 'number':
      return 'Number'
    case 'string':
      return 'String'
    case 'object':
      if (value === null) break
      assertJson(key, value, key)
      return 'JSON'
  }
  throw new TypeError(`variable "${key}" should be a text, a number, a boolean or an object, got ${String(value)}`)
}
