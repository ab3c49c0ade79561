import type { Variation } from '@burgee/core'
import { preconditionFailed } from '../../../../lib/errors.ts'
import type { StoredConfiguration, StoredFeature, StoredTarget } from '../../../../storage/resources/feature.ts'
import type { StoredEnvironment } from '../../../../storage/resources/project.ts'

/** Creates a target that serves one variation to all users. */
export function allUsersTarget({ _id: _variation }: Variation, id: () => string): StoredTarget {
  return {
    _id: id(),
    name: 'All Users',
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: [{ _variation, percentage: 1 }]
  }
}

/** Creates a target that serves one variation to users who opted in to the feature. */
export function optInTarget({ _id: _variation }: Variation, id: () => string): StoredTarget {
  return {
    _id: id(),
    name: 'Opt-In Users',
    audience: { filters: { operator: 'and', filters: [{ type: 'optIn' }] } },
    distribution: [{ _variation, percentage: 1 }]
  }
}

/** True for the built-in opt-in target. A target with further filters is user-defined. */
export function isOptInTarget({ audience }: StoredTarget): boolean {
  const [filter, ...others] = audience.filters.filters ?? []
  return filter !== undefined && others.length === 0 && 'type' in filter && filter.type === 'optIn'
}

/** @throws {HttpError} 412 when the opt-in target is removed although the feature allows opt-in. */
export function assertOptInTargetKept(
  { key, settings }: StoredFeature,
  before: StoredConfiguration,
  after: StoredConfiguration,
  environment: StoredEnvironment
): void {
  if (!settings.optInEnabled || !before.targets.some(isOptInTarget) || after.targets.some(isOptInTarget)) return
  throw preconditionFailed(
    `targets of feature "${key}" in environment "${environment.key}" should include the opt-in target; set settings.optInEnabled to false to remove it`
  )
}
