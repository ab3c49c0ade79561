import type { CompileOptions } from './compile.ts'
import { memoized, prepareAudience } from './conditions/audience.ts'
import type { Conditions, PreparedFilter } from './conditions/filter.ts'
import { isOperator, type PreparedOperator } from './conditions/operator.ts'
import { searchIn } from './conditions/textSearch.ts'
import { Evaluator } from './evaluator.ts'
import { JsonCursor } from './json/jsonCursor.ts'
import {
  type FeatureBinding,
  type Preparation,
  type PreparedConfig,
  prepareConfig,
  readOffValue,
  readVariable
} from './prepare.ts'
import { type PreparedFeature, prepareFeature } from './targeting/feature.ts'
import type { Config, OffValue } from './types/config.ts'
import type { AnyFlags, Variable } from './types/variable.ts'

/**
 * Compiles the next state of a config. The result is the same as that of `compile`, in much less time: features,
 * variables, audiences and off values that are the same objects as in the previous document are reused unread. It is
 * fastest if `variables` is the same array.
 *
 * Evaluations search for many `contain` values in long texts with an index, so that their time is linear in the sizes of
 * the config and the user, even for hostile texts.
 *
 * The document must not be changed afterwards, nor anything in it. The returned evaluator keeps it in memory.
 *
 * @param previous The evaluator of the previous state, made by `recompile`. Without it, or with one made by `compile`,
 *   the whole document is read.
 * @throws {ConfigError} If a new part of the document is malformed. `previous` remains usable.
 * @example
 * const before = recompile(config, undefined)
 * const after = recompile({ ...config, features: [changed, ...others] }, before)
 */
export function recompile<Flags extends object = AnyFlags>(
  config: Config,
  previous: Evaluator<Flags> | undefined,
  { onProblem }: CompileOptions = {}
): Evaluator<Flags> {
  const before = previous && states.get(previous)
  const cache = before?.cache ?? new PreparationCache()
  const prepared = (before && patch(before, config)) ?? prepareConfig(config, cache, cache.conditions)
  const evaluator = new Evaluator<Flags>(prepared, onProblem)
  if (cache.conditions.isMostlyUnused()) cache.conditions = conditionsOf(prepared)
  states.set(evaluator, { cache, config, prepared })
  return evaluator
}

/** The state that an evaluator was made from. */
interface CompiledState {
  readonly cache: PreparationCache
  readonly config: Config
  readonly prepared: PreparedConfig
}

const states = new WeakMap<Evaluator<object>, CompiledState>()

/** Caches the prepared parts of configs by their objects in the documents, as long as these are in memory. */
class PreparationCache implements Preparation {
  /** Shared by all states, so that new features reuse the conditions of cached ones. */
  conditions = new SizedConditions()
  readonly #audiences = new WeakMap<object, PreparedOperator>()
  readonly #variables = new WeakMap<object, Variable>()
  readonly #offValues = new WeakMap<object, OffValue>()
  readonly #features = new WeakMap<object, PreparedFeature>()

  readonly audience: Preparation['audience'] = (cursor, conditions) => {
    const prepare = () => {
      const audience = prepareAudience(cursor, conditions)
      // Several targets of a feature can refer to it.
      return isLong(audience) ? { ...audience, match: memoized(audience) } : audience
    }
    return cached(this.#audiences, cursor, prepare)
  }

  readonly variable: Preparation['variable'] = (cursor) => cached(this.#variables, cursor, () => readVariable(cursor))

  readonly offValue: Preparation['offValue'] = (cursor) => cached(this.#offValues, cursor, () => readOffValue(cursor))

  readonly feature: Preparation['feature'] = (cursor, variables, conditions) => {
    const prepare = () => prepareFeature(cursor, variables, conditions)
    return cached(this.#features, cursor, prepare, (known) => hasSameVariables(known, variables))
  }
}

/** Returns the cached preparation of an object if it is still valid; otherwise prepares it and caches the result. */
function cached<T>(
  cache: WeakMap<object, T>,
  cursor: JsonCursor,
  prepare: () => T,
  isValid: (known: T) => boolean = () => true
): T {
  const object = cursor.object()
  const known = cache.get(object)
  if (known !== undefined && isValid(known)) return known
  const prepared = prepare()
  cache.set(object, prepared)
  return prepared
}

/** Returns whether a feature would be prepared with the same variables again. */
function hasSameVariables(feature: PreparedFeature, variables: ReadonlyMap<string, Variable>): boolean {
  // An unknown variable can be known by now.
  return (
    hasNoUnknownVariable(feature) && feature.variables.every((variable) => variables.get(variable._id) === variable)
  )
}

function hasNoUnknownVariable({ variations }: PreparedFeature): boolean {
  return [...variations.values()].every(({ unknownVariable }) => unknownVariable === undefined)
}

/**
 * Returns the previous prepared config with some features replaced, without visiting the others. Returns undefined if
 * anything else changed, or if a new feature has other variables than the one it replaces.
 */
function patch({ cache, config: before, prepared }: CompiledState, config: Config): PreparedConfig | undefined {
  const items = new JsonCursor(config).at('features').items()
  const hasSameLists = config.variables === before.variables && config.offValues === before.offValues
  if (!hasSameLists || items.length !== before.features.length) return undefined
  const rest = prepareConfig({ ...config, features: [], variables: [], offValues: {} }, cache, cache.conditions)
  const features = [...prepared.features]
  const variables = new Map(prepared.variables)
  for (const [index, cursor] of items.entries()) {
    const old = features[index]
    if (cursor.value === before.features[index] || old === undefined) continue
    const byId = new Map(old.feature.variables.map((variable) => [variable._id, variable]))
    const feature = cache.feature(cursor, byId, cache.conditions)
    if (!canReplace(old.feature, feature)) return undefined
    features[index] = { feature, indexes: old.indexes }
    for (const { key } of feature.variables) {
      const variable = variables.get(key)
      if (!variable) continue
      variables.set(key, { ...variable, binding: rebind(variable.binding, old.feature, feature) })
    }
  }
  return { ...rest, features, variables }
}

/** Returns whether a feature can take the place of another without a change of any other part of the config. */
function canReplace(old: PreparedFeature, feature: PreparedFeature): boolean {
  const hasSameName = old.source._id === feature.source._id && old.source.key === feature.source.key
  return (
    hasSameName &&
    hasNoUnknownVariable(feature) &&
    old.variables.every((variable, slot) => variable === feature.variables[slot])
  )
}

/** Returns a copy of a list of bindings with one feature replaced. */
function rebind(
  first: FeatureBinding | undefined,
  old: PreparedFeature,
  feature: PreparedFeature
): FeatureBinding | undefined {
  const bindings: FeatureBinding[] = []
  for (let binding = first; binding !== undefined; binding = binding.next) bindings.push(binding)
  return bindings.reduceRight<FeatureBinding | undefined>((next, { feature: bound, slot }) => {
    return { next, feature: bound === old ? feature : bound, slot }
  }, undefined)
}

/** The number of filters or values from which an audience is matched once per user and feature. */
const LONG_AUDIENCE = 64

function isLong({ members }: PreparedOperator): boolean {
  const isLongFilter = ({ source }: PreparedOperator['members'][number]) => {
    return 'values' in source && Array.isArray(source.values) && source.values.length > LONG_AUDIENCE
  }
  return members.length > LONG_AUDIENCE || members.some(isLongFilter)
}

/** Conditions that keep track of their size, to detect that most of them are no longer in use. */
class SizedConditions extends Map<string, PreparedFilter> implements Conditions {
  readonly search = searchIn
  #characters = 0
  /** The size when every condition was in use. */
  #usedCharacters = 0

  override set(name: string, filter: PreparedFilter): this {
    if (!this.has(name)) this.#characters += name.length
    return super.set(name, filter)
  }

  /** Records that every condition is in use. */
  markAllUsed(): this {
    this.#usedCharacters = this.#characters
    return this
  }

  /** Returns whether at least half of the conditions can be unused. Small maps are exempt. */
  isMostlyUnused(): boolean {
    return this.#characters > 2 * this.#usedCharacters + 10_000
  }
}

/** Returns the conditions that a config uses. */
function conditionsOf({ audiences, features }: PreparedConfig): SizedConditions {
  const conditions = new SizedConditions()
  const add = ({ members }: PreparedOperator): void => {
    for (const member of members) {
      if (isOperator(member)) add(member)
      else if (member.condition) conditions.set(member.condition.name, member)
    }
  }
  for (const audience of audiences.values()) add(audience)
  for (const { feature } of features) {
    for (let target = feature.firstTarget; target !== undefined; target = target.next) add(target.operator)
  }
  return conditions.markAllUsed()
}
