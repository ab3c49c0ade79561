import { isDeepStrictEqual } from 'node:util'
import { isProtected } from '@burgee/contract/schemas'
import type { Variation } from '@burgee/core'
import type { StoredConfiguration, StoredVariable } from '../../../../storage/resources/feature.ts'
import type { StoredEnvironment } from '../../../../storage/resources/project.ts'
import { diffItems, type ItemDiff, isEmptyDiff } from './diffItems.ts'
import { detachVariable, type FeatureState } from './featureState.ts'
import { protectedServingEnvironments } from './servingEnvironments.ts'

/**
 * The difference between two states of a feature. Permissions, approvals, the audit log and persistence all use it, so
 * that they agree on the contents of a change.
 */
export interface FeatureDiff extends FeatureChange {
  readonly configurations: ItemDiff<StoredConfiguration>
  /** The difference between the variables of the feature. */
  readonly variables: ItemDiff<StoredVariable>
  readonly variations: ItemDiff<Variation>
  /**
   * The difference between the stored variables: variables that join or leave the feature are replaced, not added or
   * removed.
   */
  readonly storedVariables: ItemDiff<StoredVariable>
  /** Whether the configuration of a protected environment changes. */
  readonly changesProtectedTargeting: boolean
  /** Whether the configuration of a protected environment changes where it is, or becomes, active. */
  readonly changesLiveTargeting: boolean
  /** Whether a protected environment serves values of the feature, before or after the change. */
  readonly isLive: boolean
}

/** Two states of a feature; `before` is undefined for a new one. */
export interface FeatureChange {
  readonly before: FeatureState | undefined
  readonly after: FeatureState
  /** All environments of the project. */
  readonly environments: readonly StoredEnvironment[]
}

/** Compares two states. `joining` are the variables that join the feature, as the store has them. */
export function diffFeature(change: FeatureChange, joining: readonly StoredVariable[] = []): FeatureDiff {
  const { before, after, environments } = change
  const protectedIds = new Set(environments.filter(isProtected).map(({ _id }) => _id))
  const isInProtected = ({ _environment }: StoredConfiguration) => protectedIds.has(_environment)
  const isActive = (configuration: StoredConfiguration) => {
    return configuration.status === 'active' && isInProtected(configuration)
  }
  const configurations = diffItems(before?.configurations ?? [], after.configurations)
  const changed = changedItems(configurations)
  const detached = joining.map((variable) => (variable._feature === undefined ? variable : detachVariable(variable)))
  return {
    ...change,
    configurations,
    variables: diffItems(before?.variables ?? [], after.variables),
    variations: diffItems(before?.feature.variations ?? [], after.feature.variations),
    storedVariables: diffItems(
      [...(before?.variables ?? []), ...detached],
      [...after.variables, ...after.detachedVariables]
    ),
    changesProtectedTargeting: changed.some(isInProtected),
    changesLiveTargeting: changed.some(isActive),
    isLive: [before, after].some((state) => state && protectedServingEnvironments(state, environments).length > 0)
  }
}

/** The ids of the environments whose configurations a change affects. */
export function changedEnvironments({ configurations }: FeatureDiff): readonly string[] {
  return [...new Set(changedItems(configurations).map(({ _environment }) => _environment))]
}

/** Returns the items of a difference, in both states. */
function changedItems<T>({ added, replaced, removed }: ItemDiff<T>): readonly T[] {
  return [...added, ...replaced.flatMap(({ before, after }) => [before, after]), ...removed]
}

/**
 * Whether a change affects a live feature other than by targeting: its creation, its key, visibility, variables or
 * variations and their order, or whether users can opt in, and the texts that they see.
 */
export function changesContents({ before, after, variables, variations }: FeatureDiff): boolean {
  if (!before || isReordered(before, after)) return true
  const hasSameVisibility = isDeepStrictEqual(before.feature.sdkVisibility, after.feature.sdkVisibility)
  const isRenamed = before.feature.key !== after.feature.key
  const hasSameSettings = isDeepStrictEqual(before.feature.settings, after.feature.settings)
  return isRenamed || !hasSameSettings || !hasSameVisibility || !isEmptyDiff(variations) || !isEmptyDiff(variables)
}

/**
 * Whether two states list their variations in another order. The first one can be the off value, and that of opt-in.
 */
export function isReordered(before: FeatureState, after: FeatureState): boolean {
  return orderOf(before) !== orderOf(after)
}

function orderOf({ feature }: FeatureState): string {
  return feature.variations.map(({ _id }) => _id).join()
}
