import { isDeepStrictEqual } from 'node:util'
import type { UpdateFeature, UpdateFeatureConfiguration, UpdateStaleness } from '@burgee/contract/schemas'
import type { Json } from '@burgee/core'
import { formatValue } from '@burgee/kit/text'
import { badRequest, preconditionFailed } from '../../../lib/errors.ts'
import { omitUndefined } from '../../../lib/object.ts'
import { toIsoString } from '../../../lib/time.ts'
import type { StoredEnvironment, StoredFeature, StoredStaleness } from '../../../storage/resources.ts'
import { assertNotArchived } from './model/assertNotArchived.ts'
import type { FeatureContext } from './model/featureContext.ts'
import type { FeatureState } from './model/featureState.ts'
import { adjustDistributions } from './targeting/adjustDistributions.ts'
import { configureEnvironment, resolveEnvironments } from './targeting/configureEnvironment.ts'
import { syncOptInTargets } from './targeting/syncOptInTargets.ts'
import { assertValidValues } from './variations/assertValidValues.ts'
import { replaceVariables } from './variations/variables.ts'
import { findVariation, replaceVariations } from './variations/variations.ts'

/**
 * Changes a feature as a request says; lists replace lists, everything else that is not given stays as it is.
 * @throws {ApiError} 400, 409 or 412 for what cannot be.
 */
export function applyFeatureUpdate(state: FeatureState, body: UpdateFeature, context: FeatureContext): FeatureState {
  assertNotArchived(state)
  if (state.feature.status === 'complete') assertTargetingUnchanged(state, body)
  return mergeFeatureUpdate(state, body, context)
}

/** Changes what a feature does in one environment, as `updateFeature` would. */
export function applyConfigurationUpdate(
  state: FeatureState,
  environment: StoredEnvironment,
  body: UpdateFeatureConfiguration,
  context: FeatureContext
): FeatureState {
  assertNotArchived(state)
  if (state.feature.status === 'complete')
    assertTargetingUnchanged(state, { configurations: { [environment.key]: body } })
  return configureEnvironment(state, environment, body, { context })
}

/** A feature with what a request says of it, whatever its status. */
export function mergeFeatureUpdate(before: FeatureState, body: UpdateFeature, context: FeatureContext): FeatureState {
  const { variables, variations, controlVariation, configurations = {} } = body
  let state: FeatureState = { ...before, feature: withFields(before.feature, body, context) }
  if (variables) state = replaceVariables(state, variables, context)
  if (variations) state = replaceVariations(state, variations, { id: context.id, firstValues: initialValuesIn(body) })
  if (controlVariation !== undefined) state = withControlVariation(state, controlVariation)
  assertValidValues(before, state)
  const listed = resolveEnvironments(configurations, context, 'configurations')
  for (const { environment, reference, said } of listed) {
    state = configureEnvironment(state, environment, said, { context, place: `configurations.${reference}.` })
  }
  const targeted = listed.filter(({ said }) => said.targets !== undefined)
  state = adjustDistributions(before, state, new Set(targeted.map(({ environment }) => environment._id)), context)
  return syncOptInTargets(before, state, context)
}

function initialValuesIn({ variables = [] }: UpdateFeature): ReadonlyMap<string, Json> {
  return new Map(
    variables.flatMap(({ key, defaultValue }) => (defaultValue === undefined ? [] : [[key, defaultValue]]))
  )
}

/** The members that stand for themselves. */
function withFields(feature: StoredFeature, body: UpdateFeature, { at }: FeatureContext): StoredFeature {
  const { key, name, description, type, tags, settings = {}, sdkVisibility = {}, summary = {}, staleness } = body
  return {
    ...feature,
    ...omitUndefined({ key, name, description, type, tags }),
    settings: { ...feature.settings, ...omitUndefined(settings) },
    sdkVisibility: { ...feature.sdkVisibility, ...omitUndefined(sdkVisibility) },
    summary: { ...feature.summary, ...omitUndefined(summary) },
    ...omitUndefined({ staleness: withStaleness(feature.staleness, staleness, at) })
  }
}

function withStaleness(
  before: StoredStaleness | undefined,
  { snoozedUntil, ...said }: UpdateStaleness = {},
  at: string
): StoredStaleness | undefined {
  const { snoozedUntil: earlier, ...kept } = before ?? { disabled: false, updatedAt: at }
  // Null ends a snooze.
  const until = snoozedUntil === undefined ? earlier : snoozedUntil && toIsoString(snoozedUntil)
  const after = { ...kept, ...omitUndefined(said), ...(until ? { snoozedUntil: until } : {}) }
  const isSame = isDeepStrictEqual(after, before ?? { disabled: false, updatedAt: at })
  return isSame ? before : { ...after, updatedAt: at }
}

function withControlVariation(state: FeatureState, reference: string): FeatureState {
  const variation = findVariation(state.feature, reference)
  if (variation) return { ...state, feature: { ...state.feature, controlVariation: variation.key } }
  const wanted = `the key or id of a variation of feature "${state.feature.key}"`
  throw badRequest([`controlVariation should be ${wanted}, got ${formatValue(reference)}`])
}

/** Of a complete feature, only what its one variation is worth and where it is switched on can change. */
function assertTargetingUnchanged({ feature }: FeatureState, { variations, configurations = {} }: UpdateFeature): void {
  const hasTargets = Object.values(configurations).some(({ targets }) => targets !== undefined)
  if (!variations && !hasTargets) return
  const culprit = variations ? 'variations' : 'targets'
  throw preconditionFailed(
    `feature "${feature.key}" is complete: its ${culprit} cannot change until its status is active; values can, through its static configuration`
  )
}
