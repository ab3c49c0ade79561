import { preconditionFailed } from '../../../../lib/errors.ts'
import type { StoredConfiguration, StoredFeature, StoredVariable } from '../../../../storage/resources/feature.ts'

/** A feature with its configurations and variables. Rules map one state to another. */
export interface FeatureState {
  readonly feature: StoredFeature
  /** At most one per environment. Where there is none, the feature is inactive and has no targets. */
  readonly configurations: readonly StoredConfiguration[]
  /** The variables of the feature, in the order of its values. */
  readonly variables: readonly StoredVariable[]
  /** Variables that leave the feature and remain in the project. */
  readonly detachedVariables: readonly StoredVariable[]
}

/** @throws {HttpError} 412 when a feature is archived. Only its status can change then. */
export function assertNotArchived({ feature: { key, status } }: FeatureState): void {
  if (status !== 'archived') return
  throw preconditionFailed(`feature "${key}" is archived and cannot change; set its status to active first`)
}

/** Returns a variable without its feature. */
export function detachVariable({ _feature, ...variable }: StoredVariable): StoredVariable {
  return { ...variable, status: 'active' }
}
