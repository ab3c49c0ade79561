import { isDeepStrictEqual } from 'node:util'
import type { UpdateFeature, UpdateFeatureConfiguration, UpdateStaleness } from '@burgee/contract'
import { show } from '@burgee/contract'
import type { Json } from '@burgee/core'
import { invalid, preconditionFailed } from '../../errors.ts'
import { given } from '../../given.ts'
import { inUtc } from '../../inUtc.ts'
import type { StalenessChoice, StoredEnvironment, StoredFeature } from '../../store/resources.ts'
import { demandNotArchived } from './archived.ts'
import { byEnvironment, configure } from './configuration.ts'
import type { FeatureContext } from './featureContext.ts'
import type { FeatureState } from './featureState.ts'
import { followOptIn } from './optIn.ts'
import { fitShares } from './shares.ts'
import { refuseWrongValues } from './values.ts'
import { replaceVariables } from './variables.ts'
import { findVariation, replaceVariations } from './variations.ts'

/**
 * Changes a feature as a request says; lists replace lists, everything else that is not given stays as it is.
 * @throws {ApiError} 400, 409 or 412 for what cannot be.
 */
export function updateFeature(state: FeatureState, body: UpdateFeature, context: FeatureContext): FeatureState {
  demandNotArchived(state)
  if (state.feature.status === 'complete') refuseTargeting(state, body)
  return applied(state, body, context)
}

/** Changes what a feature does in one environment, as `updateFeature` would. */
export function updateConfiguration(
  state: FeatureState,
  environment: StoredEnvironment,
  body: UpdateFeatureConfiguration,
  context: FeatureContext
): FeatureState {
  demandNotArchived(state)
  if (state.feature.status === 'complete') refuseTargeting(state, { configurations: { [environment.key]: body } })
  return configure(state, environment, body, { context })
}

/** A feature with what a request says of it, whatever its status. */
export function applied(before: FeatureState, body: UpdateFeature, context: FeatureContext): FeatureState {
  const { variables, variations, controlVariation, configurations = {} } = body
  let state: FeatureState = { ...before, feature: withMembers(before.feature, body, context) }
  if (variables) state = replaceVariables(state, variables, context)
  if (variations) state = replaceVariations(state, variations, { id: context.id, firstValues: firstValuesIn(body) })
  if (controlVariation !== undefined) state = withControl(state, controlVariation)
  refuseWrongValues(before, state)
  const listed = byEnvironment(configurations, context, 'configurations')
  for (const { environment, reference, said } of listed) {
    state = configure(state, environment, said, { context, place: `configurations.${reference}.` })
  }
  const targeted = listed.filter(({ said }) => said.targets !== undefined)
  state = fitShares(before, state, new Set(targeted.map(({ environment }) => environment._id)), context)
  return followOptIn(before, state, context)
}

function firstValuesIn({ variables = [] }: UpdateFeature): ReadonlyMap<string, Json> {
  return new Map(
    variables.flatMap(({ key, defaultValue }) => (defaultValue === undefined ? [] : [[key, defaultValue]]))
  )
}

/** The members that stand for themselves. */
function withMembers(feature: StoredFeature, body: UpdateFeature, { at }: FeatureContext): StoredFeature {
  const { key, name, description, type, tags, settings = {}, sdkVisibility = {}, summary = {}, staleness } = body
  return {
    ...feature,
    ...given({ key, name, description, type, tags }),
    settings: { ...feature.settings, ...given(settings) },
    sdkVisibility: { ...feature.sdkVisibility, ...given(sdkVisibility) },
    summary: { ...feature.summary, ...given(summary) },
    ...given({ staleness: withStaleness(feature.staleness, staleness, at) })
  }
}

function withStaleness(
  before: StalenessChoice | undefined,
  { snoozedUntil, ...said }: UpdateStaleness = {},
  at: string
): StalenessChoice | undefined {
  const { snoozedUntil: earlier, ...kept } = before ?? { disabled: false, updatedAt: at }
  // Null ends a snooze.
  const until = snoozedUntil === undefined ? earlier : snoozedUntil && inUtc(snoozedUntil)
  const after = { ...kept, ...given(said), ...(until ? { snoozedUntil: until } : {}) }
  const isSame = isDeepStrictEqual(after, before ?? { disabled: false, updatedAt: at })
  return isSame ? before : { ...after, updatedAt: at }
}

function withControl(state: FeatureState, reference: string): FeatureState {
  const variation = findVariation(state.feature, reference)
  if (variation) return { ...state, feature: { ...state.feature, controlVariation: variation.key } }
  const wanted = `the key or id of a variation of feature "${state.feature.key}"`
  throw invalid([`controlVariation should be ${wanted}, got ${show(reference)}`])
}

/** Of a complete feature, only what its one variation is worth and where it is switched on can change. */
function refuseTargeting({ feature }: FeatureState, { variations, configurations = {} }: UpdateFeature): void {
  const hasTargets = Object.values(configurations).some(({ targets }) => targets !== undefined)
  if (!variations && !hasTargets) return
  const culprit = variations ? 'variations' : 'targets'
  throw preconditionFailed(
    `feature "${feature.key}" is complete: its ${culprit} cannot change until its status is active; values can, through its static configuration`
  )
}
