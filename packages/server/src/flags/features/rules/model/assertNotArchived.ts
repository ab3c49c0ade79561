import { preconditionFailed } from '../../../../lib/errors.ts'
import type { FeatureState } from './featureState.ts'

/** @throws {ApiError} 412 when a feature is archived: nothing of it changes until its status does. */
export function assertNotArchived({ feature: { key, status } }: FeatureState): void {
  if (status !== 'archived') return
  throw preconditionFailed(`feature "${key}" is archived and cannot change; its status should be active first`)
}
