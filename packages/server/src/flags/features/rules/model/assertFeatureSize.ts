import { assertSize } from '../../../../lib/limits/assertSize.ts'
import type { FeatureState } from './featureState.ts'

/** Asserts that a feature is not too large. `before` is undefined for a new one. @throws {HttpError} 412 */
export function assertFeatureSize(before: FeatureState | undefined, after: FeatureState): void {
  assertSize(`feature "${after.feature.key}"`, {
    before: before && growingParts(before),
    after: growingParts(after),
    remedy: 'use fewer variations, move long lists of values to audiences, or divide it into several features'
  })
}

/** Everything but texts and settings of limited length, so that a larger feature can be renamed and turned off. */
function growingParts({ feature, variables, configurations }: FeatureState): unknown {
  return [feature.variations, variables, configurations.map(({ targets }) => targets)]
}
