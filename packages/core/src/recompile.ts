import type { CompileOptions } from './compile.ts'
import { memoized, prepareAudience } from './conditions/audience.ts'
import type { Conditions } from './conditions/filter.ts'
import { isOperator } from './conditions/operator.ts'
import type { PreparedFilter, PreparedOperator } from './conditions/prepared.ts'
import { searchIn } from './conditions/textSearch.ts'
import { Evaluator } from './evaluator.ts'
import { changedPart } from './incremental/changedPart.ts'
import {
  canReplace,
  type EditableFeatures,
  replaceFeatures,
  replaceNames,
  withTable
} from './incremental/replaceFeatures.ts'
import { replaceVariables } from './incremental/replaceVariables.ts'
import { inheritJoinable } from './joinable.ts'
import { JsonCursor } from './json/jsonCursor.ts'
import {
  type Preparation,
  type PreparedConfig,
  prepareConfig,
  readOffValue,
  readVariable,
  readVariables,
  toPrepared,
  type VariableTable
} from './prepare.ts'
import { type PreparedFeature, prepareFeature } from './targeting/feature.ts'
import type { VariablesById } from './targeting/variation.ts'
import type { Config, OffValue } from './types/config.ts'
import type { AnyFlags, Variable } from './types/variable.ts'

/**
 * Compiles the next state of a config. The result is the same as that of `compile`, in much less time: features,
 * variables, audiences and off values that are the same objects as in the previous document are reused unread, and
 * features before and after the changed ones are not visited. It is fastest if `variables` and `offValues` are the same
 * objects. Configs with the same array of variables share its prepared form.
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
  const before = previous && RecompiledEvaluator.stateOf(previous)
  const cache = before?.cache ?? new PreparationCache()
  const state = (before && patch(before, config)) ?? prepareAll(config, cache)
  if (cache.conditions.isMostlyUnused()) cache.conditions = conditionsOf(state.prepared)
  return new RecompiledEvaluator<Flags>(state, onProblem)
}

/**
 * An evaluator with its state, which is large. The value of a WeakMap survives a minor garbage collection more than its
 * key, and what survives two stays in memory until the next major one.
 */
class RecompiledEvaluator<Flags extends object> extends Evaluator<Flags> {
  readonly #state: CompiledState

  constructor(state: CompiledState, onProblem: CompileOptions['onProblem']) {
    super(state.prepared, onProblem)
    this.#state = state
  }

  /** Returns the state of an evaluator that `recompile` made; undefined for another one. */
  static stateOf(evaluator: Evaluator<object>): CompiledState | undefined {
    return #state in evaluator ? evaluator.#state : undefined
  }
}

/** The state that an evaluator was made from. */
interface CompiledState {
  readonly cache: PreparationCache
  readonly config: Config
  readonly prepared: PreparedConfig
  /** Whether every variable of a feature is in the config. */
  readonly isComplete: boolean
}

function prepareAll(config: Config, cache: PreparationCache): CompiledState {
  const prepared = prepareConfig(config, cache, cache.conditions)
  return {
    cache,
    config,
    prepared,
    isComplete: prepared.features.every(({ feature }) => hasNoUnknownVariable(feature))
  }
}

/** Caches the prepared parts of configs by their objects in the documents, as long as these are in memory. */
class PreparationCache implements Preparation {
  /** Shared by all states, so that new features reuse the conditions of cached ones. */
  conditions = new SizedConditions()
  readonly #audiences = new WeakMap<object, PreparedOperator>()
  readonly #features = new WeakMap<object, PreparedFeature>()

  readonly audience: Preparation['audience'] = (cursor, conditions) => {
    const prepare = () => {
      const audience = prepareAudience(cursor, conditions)
      // Several targets of a feature can refer to it.
      return isLong(audience) ? { ...audience, match: memoized(audience) } : audience
    }
    return cached(this.#audiences, cursor, prepare)
  }

  readonly variables: Preparation['variables'] = (cursor) => {
    const { value } = cursor
    const known = Array.isArray(value) ? tables.get(value) : undefined
    const table = known ?? readVariables(cursor, readCached)
    if (Array.isArray(value)) tables.set(value, table)
    return table
  }

  readonly feature: Preparation['feature'] = (cursor, variables, conditions) => {
    const prepare = () => prepareFeature(cursor, variables, conditions)
    return cached(this.#features, cursor, prepare, (known) => hasSameVariables(known, variables))
  }
}

/** Shared by all configs, because the environments of a project have the same variables. */
const variables = new WeakMap<object, Variable>()
const tables = new WeakMap<readonly unknown[], VariableTable>()
const offValues = new WeakMap<object, OffValue>()

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
function hasSameVariables(feature: PreparedFeature, variables: VariablesById): boolean {
  // An unknown variable can be known by now.
  return (
    hasNoUnknownVariable(feature) && feature.variables.every((variable) => variables.get(variable._id) === variable)
  )
}

function hasNoUnknownVariable({ variations }: PreparedFeature): boolean {
  return variations.every(({ unknownVariable }) => unknownVariable === undefined)
}

/**
 * Returns the previous state with some features and variables replaced, without visiting the other features. Returns
 * undefined if that is not possible because features share variables, or lack some.
 */
function patch(before: CompiledState, config: Config): CompiledState | undefined {
  const { cache } = before
  const cursor = new JsonCursor(config)
  const list = cursor.at('features')
  if (!Array.isArray(list.value)) return undefined
  const settings = prepareConfig({ ...config, features: [], variables: [], offValues: {} }, cache, cache.conditions)
  const table = patchTable(before, cursor.at('variables')) ?? cache.variables(cursor.at('variables'), readVariable)
  const part = changedPart(before.config.features, list.value)
  const hasSameTable = table === before.prepared.table
  // If variables were added, any feature could refer to one of them.
  if (!hasSameTable && !before.isComplete) return undefined
  const base = withTable(before.prepared, table, part)
  if (!base) return undefined
  // A new variable has no off value yet.
  const isCurrent = before.config.offValues === config.offValues && (config.offValues === undefined || hasSameTable)
  const linked = isCurrent ? base : withOffValues(base, cursor.at('offValues'))
  const added = list.value.slice(part.start, part.afterEnd).map((item, at) => {
    return cache.feature(new JsonCursor(item, list, part.start + at), table.byId, cache.conditions)
  })
  const replaced = canReplace(linked, part, added) ? replaceNames(linked, part, added) : undefined
  if (!replaced) return undefined
  const prepared = { ...settings, ...replaceFeatures(linked, part, added, replaced.names) }
  inheritJoinable(before.prepared, prepared, prepared.features.slice(part.start, part.afterEnd))
  return { cache, config, prepared, isComplete: before.isComplete && added.every(hasNoUnknownVariable) }
}

/** Returns the variables of a document, without visiting those that were in the previous one. */
function patchTable({ config, prepared }: CompiledState, cursor: JsonCursor): VariableTable | undefined {
  const { value } = cursor
  if (!Array.isArray(value)) return undefined
  if (value === config.variables) return prepared.table
  const known = tables.get(value)
  if (known) return known
  const { start, beforeEnd, afterEnd } = changedPart(config.variables, value)
  // Every variable of the previous config is cached.
  const removed = config.variables.slice(start, beforeEnd).flatMap((item) => variables.get(item) ?? [])
  const added = value.slice(start, afterEnd).map((item, at) => readCached(new JsonCursor(item, cursor, start + at)))
  const table = replaceVariables(prepared.table, removed, added)
  if (table) tables.set(value, table)
  // Configs with the previous variables have their table. This map would keep it for longer than they do.
  tables.delete(config.variables)
  return table
}

function readCached(cursor: JsonCursor): Variable {
  return cached(variables, cursor, () => readVariable(cursor))
}

/** Returns features with the off values of a document. */
function withOffValues(linked: EditableFeatures, cursor: JsonCursor): EditableFeatures {
  const read = (item: JsonCursor) => cached(offValues, item, () => readOffValue(item))
  const byKey = new Map(cursor.entries(read))
  const variables = linked.variables.map((prepared) => {
    const { variable, binding, fallback } = prepared
    const offValue = byKey.get(variable.key)
    return offValue === fallback.offValue ? prepared : toPrepared(variable, offValue, binding)
  })
  return { ...linked, variables }
}

/** The number of filters or values from which an audience is matched once per user and feature. */
const LONG_AUDIENCE = 64

function isLong({ members }: PreparedOperator): boolean {
  const isLongFilter = (member: PreparedOperator['members'][number]) => {
    return 'source' in member && Array.isArray(member.source.values) && member.source.values.length > LONG_AUDIENCE
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
