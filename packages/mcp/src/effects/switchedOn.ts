import type { Change } from '../confirmation/effect.ts'
import { differences } from './differences.ts'
import { type FeatureFacts, isServed } from './facts.ts'
import { featureParts } from './featureParts.ts'

/** What users begin to get where a feature is switched on: targets that were there already are no difference, and are told all the same. */
export function switchedOn(before: FeatureFacts, after: FeatureFacts): readonly Change[] {
  const begun = after.configurations.flatMap((configuration, index) => {
    const earlier = before.configurations[index]
    if (!earlier || isServed(before, earlier) || !isServed(after, configuration)) return []
    const known = new Set(earlier.targets.map(({ _id }) => _id))
    const { environment, targets } = configuration
    // Its status is told as a difference, and so are targets that are new.
    return [{ environment, status: 'active' as const, targets: targets.filter(({ _id }) => known.has(_id)) }]
  })
  const off = begun.map(({ environment }) => ({ environment, status: 'active' as const, targets: [] }))
  const parts = (configurations: FeatureFacts['configurations']) => {
    return featureParts({ variables: [], variations: after.variations, configurations }, before)
  }
  return differences(parts(off), parts(begun)).map(({ place, ...change }) => ({
    place: `${place} (served from now on)`,
    isServedNow: true,
    ...change
  }))
}
