import { isDeepStrictEqual } from 'node:util'
import type { UpdateFeature, UpdateFeatureConfiguration, UpdateStaleness } from '@burgee/contract/schemas'
import type { Json } from '@burgee/core'
import { omitUndefined } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import { badRequest, preconditionFailed } from '../../../lib/errors.ts'
import { toIsoString } from '../../../lib/time.ts'
import type { StoredFeature, StoredStaleness } from '../../../storage/resources/feature.ts'
import type { StoredEnvironment } from '../../../storage/resources/project.ts'
import { assertFeatureSize } from './model/assertFeatureSize.ts'
import type { FeatureContext } from './model/featureContext.ts'
import { assertNotArchived, type FeatureState } from './model/featureState.ts'
import { adjustDistributions } from './targeting/adjustDistributions.ts'
import { configureEnvironment, resolveEnvironments } from './targeting/configureEnvironment.ts'
import { syncOptInTargets } from './targeting/syncOptInTargets.ts'
import { assertValidValues } from './variations/assertValidValues.ts'
import { replaceVariables } from './variations/variables.ts'
import { findVariation, replaceVariations } from './variations/variations.ts'

/**
 * Applies the body of an update. Lists are replaced; members that are not given keep their values.
 * @throws {HttpError} 400, 409 or 412 when the update cannot be applied.
 */
export function applyFeatureUpdate(state: FeatureState, body: UpdateFeature, context: FeatureContext): FeatureState {
  assertNotArchived(state)
  if (state.feature.status === 'complete') assertTargetingUnchanged(state, body)
  return mergeFeatureUpdate(state, body, context)
}

/** Applies an update to the configuration of one environment. */
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

/** Applies an update regardless of the status of the feature. */
export function mergeFeatureUpdate(before: FeatureState, body: UpdateFeature, context: FeatureContext): FeatureState {
  const { variables, variations, controlVariation, configurations = {} } = body
  let state: FeatureState = { ...before, feature: withFields(before.feature, body, context) }
  if (variables) state = replaceVariables(state, variables, context)
  if (variations) state = replaceVariations(state, variations, { id: context.id, firstValues: initialValuesIn(body) })
  if (controlVariation !== undefined) state = withControlVariation(state, controlVariation)
  // A request can set a hundred thousand values, which take long to check.
  assertFeatureSize(before, state)
  assertValidValues(before, state, context)
  const listed = resolveEnvironments(configurations, context, 'configurations')
  for (const { environment, reference, update } of listed) {
    state = configureEnvironment(state, environment, update, { context, prefix: `configurations.${reference}.` })
  }
  const targeted = listed.filter(({ update }) => update.targets !== undefined)
  state = adjustDistributions(before, state, new Set(targeted.map(({ environment }) => environment._id)), context)
  return syncOptInTargets(before, state, context)
}

function initialValuesIn({ variables = [] }: UpdateFeature): ReadonlyMap<string, Json> {
  return new Map(
    variables.flatMap(({ key, defaultValue }) => (defaultValue === undefined ? [] : [[key, defaultValue]]))
  )
}

/** Applies the fields that depend on nothing else. */
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
  { snoozedUntil, ...update }: UpdateStaleness = {},
  at: string
): StoredStaleness | undefined {
  const { snoozedUntil: earlier, ...kept } = before ?? { disabled: false, updatedAt: at }
  // Null ends a snooze.
  const until = snoozedUntil === undefined ? earlier : snoozedUntil && toIsoString(snoozedUntil)
  const after = { ...kept, ...omitUndefined(update), ...(until ? { snoozedUntil: until } : {}) }
  const isSame = isDeepStrictEqual(after, before ?? { disabled: false, updatedAt: at })
  return isSame ? before : { ...after, updatedAt: at }
}

function withControlVariation(state: FeatureState, reference: string): FeatureState {
  const variation = findVariation(state.feature, reference)
  if (variation) return { ...state, feature: { ...state.feature, controlVariation: variation.key } }
  const wanted = `the key or id of a variation of feature "${state.feature.key}"`
  throw badRequest([`controlVariation should be ${wanted}, got ${formatValue(reference)}`])
}

/** @throws {HttpError} 412 for changes of variations or targets, which a complete feature does not allow. */
function assertTargetingUnchanged({ feature }: FeatureState, { variations, configurations = {} }: UpdateFeature): void {
  const hasTargets = Object.values(configurations).some(({ targets }) => targets !== undefined)
  if (!variations && !hasTargets) return
  const refused = variations ? 'variations' : 'targets'
  throw preconditionFailed(
    `feature "${feature.key}" is complete: its ${refused} cannot change until its status is active; values can, through its static configuration`
  )
}
