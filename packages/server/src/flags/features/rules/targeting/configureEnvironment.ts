import type { UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import { findByKeyOrId } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import { badRequest, preconditionFailed } from '../../../../lib/errors.ts'
import type { StoredConfiguration, StoredFeature, StoredTarget } from '../../../../storage/resources/feature.ts'
import type { StoredEnvironment } from '../../../../storage/resources/project.ts'
import type { FeatureContext } from '../model/featureContext.ts'
import type { FeatureState } from '../model/featureState.ts'
import { findVariation } from '../variations/variations.ts'
import { allUsersTarget, assertOptInTargetKept } from './builtInTargets.ts'
import { toStoredTargets } from './toStoredTargets.ts'

/**
 * Updates the configuration of one environment.
 * @throws {HttpError} 400 for targets with unknown references, 412 for turning on without targets.
 */
export function configureEnvironment(
  state: FeatureState,
  environment: StoredEnvironment,
  { status, targets }: UpdateFeatureConfiguration,
  { context, prefix = '' }: { readonly context: FeatureContext; readonly prefix?: string }
): FeatureState {
  const before = configurationFor(state, environment, context)
  let after: StoredConfiguration = before
  if (targets) {
    const scope = { feature: state.feature, context, path: `${prefix}targets`, before: before.targets }
    after = { ...after, targets: toStoredTargets(targets, scope) }
    assertOptInTargetKept(state.feature, before, after, environment)
  }
  if (status) after = withStatus(after, status, { state, environment, context })
  return withConfiguration(state, after)
}

/** Returns the configuration of an environment; a new one is inactive and has no targets. */
export function configurationFor(
  { feature, configurations }: FeatureState,
  { _id: _environment }: StoredEnvironment,
  { recordFields, caller }: FeatureContext
): StoredConfiguration {
  const stored = configurations.find((configuration) => configuration._environment === _environment)
  if (stored) return stored
  const owner = { _project: feature._project, _feature: feature._id, _environment, _createdBy: caller.id }
  return { ...recordFields(), ...owner, status: 'inactive', targets: [] }
}

/** Adds or replaces a configuration. A new one that is inactive and has no targets is not stored. */
export function withConfiguration(state: FeatureState, configuration: StoredConfiguration): FeatureState {
  const others = state.configurations.filter(({ _id }) => _id !== configuration._id)
  const isNew = others.length === state.configurations.length
  const { status, targets } = configuration
  if (isNew && status === 'inactive' && targets.length === 0) return state
  return { ...state, configurations: [...others, configuration] }
}

/**
 * Resolves the keys of a map, which are keys or ids of environments.
 * @throws {HttpError} 400 when an environment does not exist or is named twice.
 */
export function resolveEnvironments<T>(
  map: Readonly<Record<string, T>>,
  { project, environments }: FeatureContext,
  name: string
): readonly { readonly environment: StoredEnvironment; readonly reference: string; readonly update: T }[] {
  const seen = new Set<string>()
  const issues: string[] = []
  const found = Object.entries(map).flatMap(([reference, update]) => {
    const environment = findByKeyOrId(environments, reference)
    if (!environment) {
      issues.push(
        `${name} should name environments of project "${project.key}" by key or id, got ${formatValue(reference)}`
      )
      return []
    }
    if (seen.has(environment._id)) issues.push(`${name} should name environment "${environment.key}" once`)
    seen.add(environment._id)
    return [{ environment, reference, update }]
  })
  if (issues.length > 0) throw badRequest(issues)
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
      `feature "${feature.key}" has no targets in environment "${environment.key}"; it needs one to be turned on there`
    )
  }
  if (status === configuration.status) return configuration
  const { killedAt, ...members } = configuration
  return { ...members, status, targets, startedAt: configuration.startedAt ?? context.at }
}

/** The targets of a complete feature in an environment that was created after its completion. */
function staticTargets(feature: StoredFeature, { id }: FeatureContext): readonly StoredTarget[] {
  const variation = feature.staticVariation && findVariation(feature, feature.staticVariation)
  return variation ? [allUsersTarget(variation, id)] : []
}
