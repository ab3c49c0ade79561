import type { UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import { isSame } from '../../../draft/structure.ts'

/**
 * What a draft changes of a configuration. A change request that repeated the status would turn a feature on again that was
 * killed while the request waited.
 */
export function changedMembers(
  before: UpdateFeatureConfiguration,
  mine: UpdateFeatureConfiguration
): UpdateFeatureConfiguration {
  return {
    ...(isSame(before.status, mine.status) ? {} : { status: mine.status }),
    ...(isSame(before.targets, mine.targets) ? {} : { targets: mine.targets })
  }
}
