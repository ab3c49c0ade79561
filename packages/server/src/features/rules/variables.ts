import { type CreateVariable, MAX_VARIABLES, show } from '@burgee/contract'
import type { Json } from '@burgee/core'
import { conflict, invalid, preconditionFailed } from '../../errors.ts'
import { given } from '../../given.ts'
import type { StoredVariable } from '../../store/resources.ts'
import { newVariable } from '../../variables/newVariable.ts'
import { zeros } from '../../variables/zeros.ts'
import { demandNotArchived } from './archived.ts'
import type { FeatureContext, KnownVariable } from './featureContext.ts'
import type { FeatureState } from './featureState.ts'
import { demandSchemas } from './schemas.ts'
import { refuseWrongValues } from './values.ts'

/** Makes these the variables that a feature carries: new ones are made, free ones join it, and those not listed are free again. */
export function replaceVariables(
  state: FeatureState,
  inputs: readonly CreateVariable[],
  context: FeatureContext
): FeatureState {
  refuseStrangers(state, inputs)
  const own = new Map(state.variables.map((variable) => [variable.key, variable]))
  const carried = inputs.map((input) => ({
    variable: toVariable(state, input, { own: own.get(input.key), context }),
    firstValue: input.defaultValue
  }))
  // A schema is for one type: a variable that changes its type may need another.
  demandSchemas(
    carried.map(({ variable }) => variable),
    (index) => `variables.${index}.`
  )
  return carry(state, carried)
}

/** Adds a variable to a feature, with a value in each variation. @throws {ApiError} 400 when the value does not fit, 412 when the feature is archived. */
export function addVariable(state: FeatureState, variable: StoredVariable, firstValue?: Json): FeatureState {
  demandNotArchived(state)
  demandRoom(state)
  const present = state.variables.map((other) => ({ variable: other }))
  const added = { variable: { ...variable, _feature: state.feature._id }, firstValue }
  const after = carry(state, [...present, added])
  refuseWrongValues(state, after)
  return after
}

/** Changes a variable that a feature carries. @throws {ApiError} 400 or 412 when its values do not fit what it becomes, 412 when the feature is archived. */
export function changeVariable(state: FeatureState, variable: StoredVariable): FeatureState {
  demandNotArchived(state)
  const variables = state.variables.map((other) => (other._id === variable._id ? variable : other))
  const after = { ...state, variables }
  refuseWrongValues(state, after)
  return after
}

/** A feature without some of the variables that it carries, which are free then. */
export function withoutVariables(state: FeatureState, ids: ReadonlySet<string>): FeatureState {
  const kept = state.variables.flatMap((variable) => (ids.has(variable._id) ? [] : [{ variable }]))
  return carry(state, kept)
}

/** A variable that its feature does not carry any more. */
export function freed({ _feature, ...variable }: StoredVariable): StoredVariable {
  return { ...variable, status: 'active' }
}

interface Carried {
  readonly variable: StoredVariable
  /** What it is worth in a variation that has no value for it. */
  readonly firstValue?: Json | undefined
}

/** Values of variables that stay are kept, those of others go with them. */
function carry(state: FeatureState, carried: readonly Carried[]): FeatureState {
  const ids = new Set(carried.map(({ variable }) => variable._id))
  const variations = state.feature.variations.map((variation) => {
    const values = new Map(variation.variables.map(({ _var, value }) => [_var, value]))
    const variables = carried.map(({ variable, firstValue }) => {
      return { _var: variable._id, value: values.get(variable._id) ?? firstValueOf(variable, firstValue) }
    })
    return { ...variation, variables }
  })
  return {
    ...state,
    feature: { ...state.feature, variations },
    variables: carried.map(({ variable }) => variable),
    freed: [...state.freed, ...state.variables.filter(({ _id }) => !ids.has(_id)).map(freed)]
  }
}

/** What a variable is worth in a variation that says nothing about it. */
export function firstValueOf({ type, validationSchema }: StoredVariable, wanted?: Json): Json {
  return wanted ?? validationSchema?.exampleValue ?? zeros[type]
}

function demandRoom({ feature, variables }: FeatureState): void {
  if (variables.length < MAX_VARIABLES) return
  throw preconditionFailed(`feature "${feature.key}" has ${variables.length} variables; it can have ${MAX_VARIABLES}`)
}

function refuseStrangers({ feature }: FeatureState, inputs: readonly CreateVariable[]): void {
  const mistakes = inputs.flatMap(({ _feature = feature._id }, index) => {
    if (_feature === feature._id || _feature === feature.key) return []
    const expectation = `should be "${feature.key}", the feature that lists it`
    return [`variables.${index}._feature ${expectation}, got ${show(_feature)}`]
  })
  if (mistakes.length > 0) throw invalid(mistakes)
}

function toVariable(
  state: FeatureState,
  input: CreateVariable,
  { own, context }: { readonly own: StoredVariable | undefined; readonly context: FeatureContext }
): StoredVariable {
  const { _feature, defaultValue, ...members } = input
  if (own) return { ...own, ...given(members) }
  const known = context.variables.get(input.key)
  if (!known) return { ...newVariable(context.project, members, context), _feature: state.feature._id }
  refuseTaken(known, input)
  return { ...known.variable, ...given(members), _feature: state.feature._id, status: 'active' }
}

/** A variable of an archived feature can be used elsewhere. */
function refuseTaken({ variable, carrier }: KnownVariable, { type }: CreateVariable): void {
  const name = `variable "${variable.key}"`
  if (carrier && carrier.status !== 'archived') {
    throw conflict(`${name} belongs to feature "${carrier.key}"; a variable belongs to one feature at most`)
  }
  if (!carrier && variable.status === 'archived') {
    throw conflict(`${name} is archived; its status should be active before a feature can carry it`)
  }
  if (variable.type !== type) {
    throw preconditionFailed(`${name} is there already, of type ${variable.type}; it cannot be added with type ${type}`)
  }
}
