import type { UpdateStaticConfiguration } from '@burgee/contract/schemas'
import type { Variation } from '@burgee/core'
import { preconditionFailed } from '../../../lib/errors.ts'
import { applyFeatureUpdate } from './applyFeatureUpdate.ts'
import type { FeatureContext } from './model/featureContext.ts'
import type { FeatureState } from './model/featureState.ts'
import { assertValidValues } from './variations/assertValidValues.ts'
import { findVariation } from './variations/variations.ts'

/** Changes what everybody gets of a complete feature, and where. @throws {ApiError} 412 when it is not complete. */
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
  assertValidValues(state, after)
  const configurations = Object.entries(environments).map(([reference, said]) => {
    return [reference, typeof said === 'string' ? { status: said } : said]
  })
  return applyFeatureUpdate(after, { ...members, configurations: Object.fromEntries(configurations) }, context)
}

/** The one variation that a complete feature serves. @throws {ApiError} 412 when it is not complete. */
export function getStaticVariation({ feature }: FeatureState): Variation {
  const { key, status, staticVariation } = feature
  const variation = status === 'complete' && staticVariation ? findVariation(feature, staticVariation) : undefined
  if (variation) return variation
  throw preconditionFailed(`feature "${key}" is ${status}; only a complete feature has a static configuration`)
}

function withValues(
  { feature, variables }: FeatureState,
  variation: Variation,
  said: NonNullable<UpdateStaticConfiguration['variables']>
): Variation {
  const keys = new Map(variables.map(({ _id, key }) => [_id, key]))
  const known = new Set(keys.values())
  const stranger = Object.keys(said).find((key) => !known.has(key))
  if (stranger !== undefined) {
    throw preconditionFailed(
      `Variable does not belong to Feature: "${stranger}" is no variable of feature "${feature.key}"`
    )
  }
  return {
    ...variation,
    variables: variation.variables.map(({ _var, value }) => ({ _var, value: said[keys.get(_var) ?? ''] ?? value }))
  }
}
