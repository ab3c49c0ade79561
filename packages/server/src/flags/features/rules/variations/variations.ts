import type { VariationInput } from '@burgee/contract/schemas'
import type { Json, Variation } from '@burgee/core'
import { findByKeyOrId } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import { badRequest, preconditionFailed } from '../../../../lib/errors.ts'
import type { StoredFeature } from '../../../../storage/resources/feature.ts'
import type { FeatureState } from '../model/featureState.ts'
import { initialValueOf } from './variables.ts'

/**
 * Replaces the variations of a feature. An input with a known `_id`, or else key, updates that variation. `firstValues`
 * are the initial values of new variables by key.
 */
export function replaceVariations(
  state: FeatureState,
  inputs: readonly VariationInput[],
  { id, firstValues }: { readonly id: () => string; readonly firstValues: ReadonlyMap<string, Json> }
): FeatureState {
  const present = inputs.map((input) => findPresentVariation(state.feature, input))
  assertValidInputs(state, inputs, present)
  const known = new Set(state.variables.map(({ key }) => key))
  const variations = inputs.map(({ key, name, variables = {} }, index): Variation => {
    assertKnownVariables(state.feature, key, { known, values: variables })
    const before = present[index]
    const values = new Map(before?.variables.map(({ _var, value }) => [_var, value]))
    return {
      _id: before?._id ?? id(),
      key,
      name,
      variables: state.variables.map((variable) => {
        const first = initialValueOf(variable, firstValues.get(variable.key))
        return { _var: variable._id, value: variables[variable.key] ?? values.get(variable._id) ?? first }
      })
    }
  })
  return { ...state, feature: withRenamedControl({ ...state.feature, variations }, state.feature) }
}

/** Finds the variation with a key or id. */
export function findVariation({ variations }: StoredFeature, reference: string): Variation | undefined {
  return findByKeyOrId(variations, reference)
}

function findPresentVariation({ variations }: StoredFeature, { _id, key }: VariationInput): Variation | undefined {
  return variations.find((variation) => (_id === undefined ? variation.key === key : variation._id === _id))
}

/** Updates the key of the control variation. If that variation was removed, the first one becomes the control. */
function withRenamedControl(feature: StoredFeature, before: StoredFeature): StoredFeature {
  const control = before.variations.find(({ key }) => key === before.controlVariation)
  const present = feature.variations.find(({ _id }) => _id === control?._id) ?? feature.variations[0]
  return { ...feature, controlVariation: present?.key ?? '' }
}

function assertValidInputs(
  { feature }: FeatureState,
  inputs: readonly VariationInput[],
  present: readonly (Variation | undefined)[]
): void {
  const seen = new Set<Variation>()
  const issues = inputs.flatMap(({ _id }, index) => {
    const path = `variations.${index}`
    const before = present[index]
    if (_id !== undefined && !before) {
      return [`${path}._id should be that of a variation of feature "${feature.key}", got ${formatValue(_id)}`]
    }
    // The contract rejects a repeated key and a repeated id, but not one variation referenced by both.
    if (before && seen.has(before)) return [`${path} should be listed once, got variation "${before.key}" again`]
    if (before) seen.add(before)
    return []
  })
  if (issues.length > 0) throw badRequest(issues)
}

function assertKnownVariables(
  feature: StoredFeature,
  variation: string,
  { known, values }: { readonly known: ReadonlySet<string>; readonly values: object }
): void {
  const unknownKey = Object.keys(values).find((key) => !known.has(key))
  if (unknownKey === undefined) return
  throw preconditionFailed(
    `Variable does not belong to Feature: variation "${variation}" has a value for "${unknownKey}", but feature "${feature.key}" has no such variable`
  )
}
