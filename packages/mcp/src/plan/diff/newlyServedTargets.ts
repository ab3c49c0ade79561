import { type FeatureState, isServed } from '../state/featureState.ts'
import type { Change } from './change.ts'
import { diff } from './diff.ts'
import { featureTree } from './featureTree.ts'

/** Returns the existing targets that are served once a feature is turned on. Unchanged, but they affect users. */
export function newlyServedTargets(
  before: FeatureState,
  after: FeatureState,
  audiences?: ReadonlyMap<string, string>
): readonly Change[] {
  const switchedOn = after.configurations.flatMap((configuration, index) => {
    const earlier = before.configurations[index]
    if (!earlier || isServed(before, earlier) || !isServed(after, configuration)) return []
    const known = new Set(earlier.targets.map(({ _id }) => _id))
    const { environment, targets } = configuration
    // New targets and the status itself are reported as differences.
    return [{ environment, status: 'active' as const, targets: targets.filter(({ _id }) => known.has(_id)) }]
  })
  const withoutTargets = switchedOn.map((configuration) => ({ ...configuration, targets: [] }))
  const tree = (configurations: FeatureState['configurations']) => {
    return featureTree({ variables: [], variations: after.variations, configurations }, { known: before, audiences })
  }
  return diff(tree(withoutTargets), tree(switchedOn)).map(({ path, ...change }) => ({
    ...change,
    path: `${path} (served from now on)`,
    isServedNow: true
  }))
}
