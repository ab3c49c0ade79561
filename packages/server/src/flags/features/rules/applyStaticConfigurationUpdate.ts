import type { UpdateStaticConfiguration } from '@burgee/contract/schemas'
import type { Variation } from '@burgee/core'
import { preconditionFailed } from '../../../lib/errors.ts'
import { applyFeatureUpdate } from './applyFeatureUpdate.ts'
import type { FeatureContext } from './model/featureContext.ts'
import type { FeatureState } from './model/featureState.ts'
import { assertValidValues } from './variations/assertValidValues.ts'
import { findVariation } from './variations/variations.ts'

/**
 * Updates the values that a complete feature serves, and the environments in which it is on.
 * @throws {HttpError} 412 when the feature is not complete.
 */
export function applyStaticConfigurationUpdate(
  state: FeatureState,
  { variables = {}, environments = {}, ...members }: UpdateStaticConfiguration,
  context: FeatureContext
): FeatureState {
  const { _id } = getStaticVariation(state)
  const variations = state.feature.variations.map((variation) => {
    return variation._id === _id ? withValues(state, variation, variables) : variation
  })
  const after = { ...state, feature: { ...state.feature, variations } }
  assertValidValues(state, after, context)
  const configurations = Object.entries(environments).map(([reference, update]) => {
    return [reference, typeof update === 'string' ? { status: update } : update]
  })
  return applyFeatureUpdate(after, { ...members, configurations: Object.fromEntries(configurations) }, context)
}

/** Returns the variation that a complete feature serves. @throws {HttpError} 412 when the feature is not complete. */
export function getStaticVariation({ feature }: FeatureState): Variation {
  const { key, status, staticVariation } = feature
  const variation = status === 'complete' && staticVariation ? findVariation(feature, staticVariation) : undefined
  if (variation) return variation
  throw preconditionFailed(`feature "${key}" is ${status}; only a complete feature has a static configuration`)
}

function withValues(
  { feature, variables }: FeatureState,
  variation: Variation,
  values: NonNullable<UpdateStaticConfiguration['variables']>
): Variation {
  const keys = new Map(variables.map(({ _id, key }) => [_id, key]))
  const known = new Set(keys.values())
  const unknownKey = Object.keys(values).find((key) => !known.has(key))
  if (unknownKey !== undefined) {
    throw preconditionFailed(
      `Variable does not belong to Feature: feature "${feature.key}" has no variable "${unknownKey}"`
    )
  }
  return {
    ...variation,
    variables: variation.variables.map(({ _var, value }) => ({ _var, value: values[keys.get(_var) ?? ''] ?? value }))
  }
}
