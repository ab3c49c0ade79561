import { admittedShare } from '@burgee/core'
import type { StoredConfiguration } from '../../storage/resources/feature.ts'

/**
 * Returns the largest share of its audience, from 0 to 1, that a target of a configuration includes at a time; 0 if the
 * feature is off.
 */
export function admittedNow(
  configuration: Pick<StoredConfiguration, 'status' | 'targets'> | undefined,
  now: number
): number {
  if (configuration?.status !== 'active') return 0
  return Math.max(0, ...configuration.targets.map(({ rollout }) => admittedShare(rollout, now)))
}
