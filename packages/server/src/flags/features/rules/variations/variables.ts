import { type CreateVariable, MAX_VARIABLES } from '@burgee/contract/schemas'
import type { Json } from '@burgee/core'
import { omitUndefined } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import { zeroValues } from '../../../../delivery/configs/zeroValues.ts'
import { badRequest, conflict, preconditionFailed } from '../../../../lib/errors.ts'
import type { StoredVariable } from '../../../../storage/resources/feature.ts'
import { newVariable } from '../../../variables/newVariable.ts'
import type { FeatureContext, ReferencedVariable } from '../model/featureContext.ts'
import { assertNotArchived, detachVariable, type FeatureState } from '../model/featureState.ts'
import { assertValidValues } from './assertValidValues.ts'
import { assertVariableSchemas } from './assertVariableSchemas.ts'

/**
 * Replaces the variables of a feature: creates new ones, attaches free ones, and detaches those that are not listed.
 */
export function replaceVariables(
  state: FeatureState,
  inputs: readonly CreateVariable[],
  context: FeatureContext
): FeatureState {
  assertOwnVariables(state, inputs)
  const own = new Map(state.variables.map((variable) => [variable.key, variable]))
  const carried = inputs.map((input) => ({
    variable: toVariable(state, input, { own: own.get(input.key), context }),
    firstValue: input.defaultValue
  }))
  // A variable that changes its type may need another schema.
  assertVariableSchemas(
    carried.map(({ variable }) => variable),
    context,
    (index) => `variables.${index}.`
  )
  return withVariables(state, carried)
}

/**
 * Adds a variable to a feature, with a value in each variation.
 * @throws {HttpError} 400 when the value does not fit, 412 when the feature is archived.
 */
export function addVariable(
  state: FeatureState,
  context: Pick<FeatureContext, 'compute'>,
  variable: StoredVariable,
  firstValue?: Json
): FeatureState {
  assertNotArchived(state)
  assertVariableLimit(state)
  const present = state.variables.map((other) => ({ variable: other }))
  const added = { variable: { ...variable, _feature: state.feature._id }, firstValue }
  const after = withVariables(state, [...present, added])
  assertValidValues(state, after, context)
  return after
}

/**
 * Updates a variable of a feature.
 * @throws {HttpError} 400 or 412 when its values do not fit any more, 412 when the feature is archived.
 */
export function updateVariable(
  state: FeatureState,
  context: Pick<FeatureContext, 'compute'>,
  variable: StoredVariable
): FeatureState {
  assertNotArchived(state)
  const variables = state.variables.map((other) => (other._id === variable._id ? variable : other))
  const after = { ...state, variables }
  assertValidValues(state, after, context)
  return after
}

/** Detaches variables from a feature. */
export function withoutVariables(state: FeatureState, ids: ReadonlySet<string>): FeatureState {
  const kept = state.variables.flatMap((variable) => (ids.has(variable._id) ? [] : [{ variable }]))
  return withVariables(state, kept)
}

interface VariableWithInitialValue {
  readonly variable: StoredVariable
  /** The value in variations that have none yet. */
  readonly firstValue?: Json | undefined
}

/** Keeps the values of remaining variables and removes those of others. */
function withVariables(state: FeatureState, carried: readonly VariableWithInitialValue[]): FeatureState {
  const ids = new Set(carried.map(({ variable }) => variable._id))
  const variations = state.feature.variations.map((variation) => {
    const values = new Map(variation.variables.map(({ _var, value }) => [_var, value]))
    const variables = carried.map(({ variable, firstValue }) => {
      return { _var: variable._id, value: values.get(variable._id) ?? initialValueOf(variable, firstValue) }
    })
    return { ...variation, variables }
  })
  return {
    ...state,
    feature: { ...state.feature, variations },
    variables: carried.map(({ variable }) => variable),
    detachedVariables: [
      ...state.detachedVariables,
      ...state.variables.filter(({ _id }) => !ids.has(_id)).map(detachVariable)
    ]
  }
}

/** Returns the value of a variable in a variation that has none. */
export function initialValueOf({ type, validationSchema }: StoredVariable, wanted?: Json): Json {
  return wanted ?? validationSchema?.exampleValue ?? zeroValues[type]
}

function assertVariableLimit({ feature, variables }: FeatureState): void {
  if (variables.length < MAX_VARIABLES) return
  throw preconditionFailed(
    `feature "${feature.key}" has ${variables.length} variables, the maximum is ${MAX_VARIABLES}`
  )
}

function assertOwnVariables({ feature }: FeatureState, inputs: readonly CreateVariable[]): void {
  const issues = inputs.flatMap(({ _feature = feature._id }, index) => {
    if (_feature === feature._id || _feature === feature.key) return []
    const expectation = `should be "${feature.key}", the feature that lists it`
    return [`variables.${index}._feature ${expectation}, got ${formatValue(_feature)}`]
  })
  if (issues.length > 0) throw badRequest(issues)
}

function toVariable(
  state: FeatureState,
  input: CreateVariable,
  { own, context }: { readonly own: StoredVariable | undefined; readonly context: FeatureContext }
): StoredVariable {
  const { _feature, defaultValue, ...members } = input
  if (own) return { ...own, ...omitUndefined(members) }
  const known = context.variables.get(input.key)
  if (!known) return { ...newVariable(context.project, members, context), _feature: state.feature._id }
  assertAvailable(known, input)
  return { ...known.variable, ...omitUndefined(members), _feature: state.feature._id, status: 'active' }
}

/** @throws {HttpError} 409 or 412 unless the variable is free, or of an archived feature, and has the type. */
function assertAvailable({ variable, feature: carrier }: ReferencedVariable, { type }: CreateVariable): void {
  const name = `variable "${variable.key}"`
  if (carrier && carrier.status !== 'archived') {
    throw conflict(`${name} belongs to feature "${carrier.key}"; a variable belongs to one feature at most`)
  }
  if (!carrier && variable.status === 'archived') {
    throw conflict(`${name} is archived; its status should be active before a feature can carry it`)
  }
  if (variable.type !== type) {
    throw preconditionFailed(`${name} already exists with type ${variable.type}; it cannot be added with type ${type}`)
  }
}
