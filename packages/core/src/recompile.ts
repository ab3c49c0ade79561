import { prepareAudience } from './audience.ts'
import type { CompileOptions } from './compile.ts'
import { type Carrier, Evaluator, type Prepared } from './evaluator.ts'
import { type PreparedFeature, prepareFeature } from './feature.ts'
import { isOperator, type PreparedOperator } from './operator.ts'
import { Place } from './place.ts'
import { type Preparation, prepareConfig, readOffValue, readVariable } from './prepare.ts'
import type { Condition } from './subject.ts'
import type { Config, OffValue } from './types/config.ts'
import type { AnyFlags, Variable } from './types/variable.ts'

/**
 * Compiles a config of which an earlier state was compiled here before: answers what `compile` answers, in much less
 * time. Features, variables, audiences and off values that are the same objects as in the document of `previous` are
 * taken over and not read again, so nobody may change a document, or anything in it, once it was handed in. It takes
 * least time where `variables` is the same list. An evaluator that is made here keeps its document in memory.
 *
 * @param previous An evaluator that `recompile` made. Without one, and with one that `compile` made, everything is prepared anew.
 * @throws {ConfigError} when what is new in the document is malformed; `previous` is as good as before.
 * @example
 * const before = recompile(config, undefined)
 * const after = recompile({ ...config, features: [changed, ...others] }, before)
 */
export function recompile<Flags extends object = AnyFlags>(
  config: Config,
  previous: Evaluator<Flags> | undefined,
  { onProblem }: CompileOptions = {}
): Evaluator<Flags> {
  const before = previous && keptBy.get(previous)
  const members = before?.members ?? new Members()
  const prepared = (before && patch(before, config)) ?? prepareConfig(config, members, members.conditions)
  const evaluator = new Evaluator<Flags>(prepared, onProblem)
  if (members.conditions.isOvergrown()) members.conditions = conditionsOf(prepared)
  keptBy.set(evaluator, { members, config, prepared })
  return evaluator
}

/** What an evaluator was made from, for the next one. */
interface Kept {
  readonly members: Members
  readonly config: Config
  readonly prepared: Prepared
}

const keptBy = new WeakMap<Evaluator<object>, Kept>()

/** Prepares the members of configs and keeps them by the objects that they are in the documents, as long as these are in memory. */
class Members implements Preparation {
  /** Features that are prepared later share conditions with those that are taken over. */
  conditions = new CountedConditions()
  readonly #audiences = new WeakMap<object, PreparedOperator>()
  readonly #variables = new WeakMap<object, Variable>()
  readonly #offValues = new WeakMap<object, OffValue>()
  readonly #features = new WeakMap<object, PreparedFeature>()

  readonly audience: Preparation['audience'] = (place, conditions) => {
    return take(this.#audiences, place, () => prepareAudience(place, conditions))
  }

  readonly variable: Preparation['variable'] = (place) => take(this.#variables, place, () => readVariable(place))

  readonly offValue: Preparation['offValue'] = (place) => take(this.#offValues, place, () => readOffValue(place))

  readonly feature: Preparation['feature'] = (place, variables, conditions) => {
    const prepare = () => prepareFeature(place, variables, conditions)
    return take(this.#features, place, prepare, (known) => namesStill(known, variables))
  }
}

/** What was prepared of an object before, if it still holds; or else prepares it. */
function take<T>(
  kept: WeakMap<object, T>,
  place: Place,
  prepare: () => T,
  holds: (known: T) => boolean = () => true
): T {
  const object = place.object()
  const known = kept.get(object)
  if (known !== undefined && holds(known)) return known
  const made = prepare()
  kept.set(object, made)
  return made
}

/** Whether the variables that a feature names are those that it was prepared with. */
function namesStill(feature: PreparedFeature, variables: ReadonlyMap<string, Variable>): boolean {
  // A variable that was unknown can have come to be.
  return knowsItsVariables(feature) && feature.carried.every((variable) => variables.get(variable._id) === variable)
}

function knowsItsVariables({ variations }: PreparedFeature): boolean {
  return [...variations.values()].every(({ unknownVariable }) => unknownVariable === undefined)
}

/**
 * The prepared config with some features replaced, where they are all that changed and carry what they carried before:
 * the others are not even looked at. Undefined where more changed.
 */
function patch({ members, config: before, prepared }: Kept, config: Config): Prepared | undefined {
  const items = new Place(config).at('features').items()
  const isLikeBefore = config.variables === before.variables && config.offValues === before.offValues
  if (!isLikeBefore || items.length !== before.features.length) return undefined
  const around = prepareConfig({ ...config, features: [], variables: [], offValues: {} }, members, members.conditions)
  const features = [...prepared.features]
  const variables = new Map(prepared.variables)
  for (const [index, place] of items.entries()) {
    const old = features[index]
    if (place.value === before.features[index] || old === undefined) continue
    const carried = new Map(old.feature.carried.map((variable) => [variable._id, variable]))
    const feature = members.feature(place, carried, members.conditions)
    if (!isAlike(old.feature, feature)) return undefined
    features[index] = { feature, positions: old.positions }
    for (const { key } of feature.carried) {
      const variable = variables.get(key)
      if (variable) variables.set(key, { ...variable, first: replace(old.feature, feature, variable.first) })
    }
  }
  return { ...around, features, variables }
}

/** Whether a feature that was prepared with what another carries can stand in its place. */
function isAlike(one: PreparedFeature, other: PreparedFeature): boolean {
  const isNamedAlike = one.source._id === other.source._id && one.source.key === other.source.key
  return (
    isNamedAlike && knowsItsVariables(other) && one.carried.every((variable, slot) => variable === other.carried[slot])
  )
}

/** The carriers of a variable with another feature in place of one. */
function replace(old: PreparedFeature, feature: PreparedFeature, first: Carrier | undefined): Carrier | undefined {
  const chain: Carrier[] = []
  for (let carrier = first; carrier !== undefined; carrier = carrier.next) chain.push(carrier)
  return chain.reduceRight<Carrier | undefined>((next, { feature: one, slot }) => {
    return { next, feature: one === old ? feature : one, slot }
  }, undefined)
}

/** Conditions that know how much has come to them. */
class CountedConditions extends Map<string, Condition> {
  #characters = 0
  /** How many characters their names had when all of them were asked. */
  #asked = 0

  override set(name: string, condition: Condition): this {
    if (!this.has(name)) this.#characters += name.length
    return super.set(name, condition)
  }

  /** Says that all of them are asked at this moment. */
  complete(): this {
    this.#asked = this.#characters
    return this
  }

  /** Whether those that are asked no longer may be as many as the others. */
  isOvergrown(): boolean {
    return this.#characters > 2 * this.#asked + 10_000
  }
}

/** The conditions that a config asks. */
function conditionsOf({ audiences, features }: Prepared): CountedConditions {
  const conditions = new CountedConditions()
  const add = ({ members }: PreparedOperator): void => {
    for (const member of members) {
      if (isOperator(member)) add(member)
      else if (member.condition) conditions.set(member.condition.name, member.condition)
    }
  }
  for (const audience of audiences.values()) add(audience)
  for (const { feature } of features) {
    for (let target = feature.first; target !== undefined; target = target.next) add(target.operator)
  }
  return conditions.complete()
}
