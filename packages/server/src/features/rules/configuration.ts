import type { UpdateFeatureConfiguration } from '@burgee/contract'
import { show } from '@burgee/contract'
import { invalid, preconditionFailed } from '../../errors.ts'
import { named } from '../../find.ts'
import type { StoredConfiguration, StoredEnvironment, StoredFeature, StoredTarget } from '../../store/resources.ts'
import { toEverybody } from './everybody.ts'
import type { FeatureContext } from './featureContext.ts'
import type { FeatureState } from './featureState.ts'
import { refuseLostOptIn } from './optInTarget.ts'
import { toTargets } from './targets.ts'
import { findVariation } from './variations.ts'

/**
 * Changes what a feature does in one environment.
 * @throws {ApiError} 400 for targets that name what is not there, 412 when it would be switched on without targets.
 */
export function configure(
  state: FeatureState,
  environment: StoredEnvironment,
  { status, targets }: UpdateFeatureConfiguration,
  { context, place = '' }: { readonly context: FeatureContext; readonly place?: string }
): FeatureState {
  const before = configurationOf(state, environment, context)
  let after: StoredConfiguration = before
  if (targets) {
    const around = { feature: state.feature, context, place: `${place}targets` }
    after = { ...after, targets: toTargets(targets, around) }
    refuseLostOptIn(state.feature, before, after, environment)
  }
  if (status) after = switched(after, status, { state, environment, context })
  return withConfiguration(state, after)
}

/** What a feature does in an environment: inactive and without targets, where nothing was said yet. */
export function configurationOf(
  { feature, configurations }: FeatureState,
  { _id: _environment }: StoredEnvironment,
  { stamps, caller }: FeatureContext
): StoredConfiguration {
  const said = configurations.find((configuration) => configuration._environment === _environment)
  if (said) return said
  const owner = { _project: feature._project, _feature: feature._id, _environment, _createdBy: caller.id }
  return { ...stamps(), ...owner, status: 'inactive', targets: [] }
}

/** The state with this configuration, unless it says nothing in an environment of which nothing was said before. */
export function withConfiguration(state: FeatureState, configuration: StoredConfiguration): FeatureState {
  const others = state.configurations.filter(({ _id }) => _id !== configuration._id)
  const isNew = others.length === state.configurations.length
  const { status, targets } = configuration
  if (isNew && status === 'inactive' && targets.length === 0) return state
  return { ...state, configurations: [...others, configuration] }
}

/** The environments of a map by their keys or ids, with what it says of them. @throws {ApiError} 400 when one is not there or named twice. */
export function byEnvironment<T>(
  map: Readonly<Record<string, T>>,
  { project, environments }: FeatureContext,
  name: string
): readonly { readonly environment: StoredEnvironment; readonly reference: string; readonly said: T }[] {
  const seen = new Set<string>()
  const mistakes: string[] = []
  const found = Object.entries(map).flatMap(([reference, said]) => {
    const environment = named(environments, reference)
    if (!environment) {
      mistakes.push(`${name} should name environments of project "${project.key}" by key or id, got ${show(reference)}`)
      return []
    }
    if (seen.has(environment._id)) mistakes.push(`${name} should name environment "${environment.key}" once`)
    seen.add(environment._id)
    return [{ environment, reference, said }]
  })
  if (mistakes.length > 0) throw invalid(mistakes)
  return found
}

interface Switching {
  readonly state: FeatureState
  readonly environment: StoredEnvironment
  readonly context: FeatureContext
}

function switched(
  configuration: StoredConfiguration,
  status: StoredConfiguration['status'],
  { state: { feature }, environment, context }: Switching
): StoredConfiguration {
  if (status === 'inactive') return { ...configuration, status }
  const targets = configuration.targets.length > 0 ? configuration.targets : staticTargets(feature, context)
  if (targets.length === 0) {
    throw preconditionFailed(
      `feature "${feature.key}" has no targets in environment "${environment.key}"; it needs one to be switched on there`
    )
  }
  if (status === configuration.status) return configuration
  return { ...configuration, status, targets, startedAt: configuration.startedAt ?? context.at }
}

/** What a complete feature serves in an environment that is newer than its completion. */
function staticTargets(feature: StoredFeature, { id }: FeatureContext): readonly StoredTarget[] {
  const variation = feature.staticVariation && findVariation(feature, feature.staticVariation)
  return variation ? [toEverybody(variation, id)] : []
}
