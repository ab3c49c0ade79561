import type { UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import { formatValue } from '@burgee/kit/text'
import { findByKeyOrId } from '../../../../access/lookup.ts'
import { badRequest, preconditionFailed } from '../../../../lib/errors.ts'
import type {
  StoredConfiguration,
  StoredEnvironment,
  StoredFeature,
  StoredTarget
} from '../../../../storage/resources.ts'
import type { FeatureContext } from '../model/featureContext.ts'
import type { FeatureState } from '../model/featureState.ts'
import { findVariation } from '../variations/variations.ts'
import { allUsersTarget } from './allUsersTarget.ts'
import { assertOptInTargetKept } from './optInTarget.ts'
import { toStoredTargets } from './toStoredTargets.ts'

/**
 * Changes what a feature does in one environment.
 * @throws {ApiError} 400 for targets that name what is not there, 412 when it would be switched on without targets.
 */
export function configureEnvironment(
  state: FeatureState,
  environment: StoredEnvironment,
  { status, targets }: UpdateFeatureConfiguration,
  { context, place = '' }: { readonly context: FeatureContext; readonly place?: string }
): FeatureState {
  const before = configurationFor(state, environment, context)
  let after: StoredConfiguration = before
  if (targets) {
    const around = { feature: state.feature, context, place: `${place}targets` }
    after = { ...after, targets: toStoredTargets(targets, around) }
    assertOptInTargetKept(state.feature, before, after, environment)
  }
  if (status) after = withStatus(after, status, { state, environment, context })
  return withConfiguration(state, after)
}

/** What a feature does in an environment: inactive and without targets, where nothing was said yet. */
export function configurationFor(
  { feature, configurations }: FeatureState,
  { _id: _environment }: StoredEnvironment,
  { recordFields, caller }: FeatureContext
): StoredConfiguration {
  const said = configurations.find((configuration) => configuration._environment === _environment)
  if (said) return said
  const owner = { _project: feature._project, _feature: feature._id, _environment, _createdBy: caller.id }
  return { ...recordFields(), ...owner, status: 'inactive', targets: [] }
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
export function resolveEnvironments<T>(
  map: Readonly<Record<string, T>>,
  { project, environments }: FeatureContext,
  name: string
): readonly { readonly environment: StoredEnvironment; readonly reference: string; readonly said: T }[] {
  const seen = new Set<string>()
  const mistakes: string[] = []
  const found = Object.entries(map).flatMap(([reference, said]) => {
    const environment = findByKeyOrId(environments, reference)
    if (!environment) {
      mistakes.push(
        `${name} should name environments of project "${project.key}" by key or id, got ${formatValue(reference)}`
      )
      return []
    }
    if (seen.has(environment._id)) mistakes.push(`${name} should name environment "${environment.key}" once`)
    seen.add(environment._id)
    return [{ environment, reference, said }]
  })
  if (mistakes.length > 0) throw badRequest(mistakes)
  return found
}

interface StatusChange {
  readonly state: FeatureState
  readonly environment: StoredEnvironment
  readonly context: FeatureContext
}

function withStatus(
  configuration: StoredConfiguration,
  status: StoredConfiguration['status'],
  { state: { feature }, environment, context }: StatusChange
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
  return variation ? [allUsersTarget(variation, id)] : []
}
