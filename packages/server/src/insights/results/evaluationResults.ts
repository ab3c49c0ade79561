import type { FeatureEvaluations, ProjectEvaluations } from '@burgee/contract/schemas'
import type { VariationCounts } from '../../storage/events/eventStore.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { TimeBucket } from './timeBuckets.ts'

/** The time of counts, and whether they are of several environments. */
export type Computed = Pick<ProjectEvaluations, 'updatedAt' | 'isPooled'>

/** Returns how often each variation of a feature was served in each period. */
export function toFeatureEvaluations(
  { variations }: Pick<StoredFeature, 'variations'>,
  buckets: readonly TimeBucket[],
  counts: readonly VariationCounts[],
  computed: Computed
): FeatureEvaluations {
  const names = new Map(variations.map(({ _id, key }) => [_id, key === DEFAULT ? _id : key]))
  // Removed variations are listed by their id.
  for (const id of counts.flatMap((count) => [...count.keys()])) if (id && !names.has(id)) names.set(id, id)
  names.set('', DEFAULT)
  const valuesOf = (count: VariationCounts | undefined) => {
    return Object.fromEntries([...names].map(([id, name]) => [name, count?.get(id) ?? 0]))
  }
  const evaluations = buckets.map(({ date }, index) => ({ date, values: valuesOf(counts[index]) }))
  return { result: { evaluations }, cached: false, ...computed }
}

/** Counts evaluations that served no variation. A variation with this key is listed by its id. */
const DEFAULT = 'default'

/** Returns the number of evaluations, or of users, of a project in each period. */
export function toProjectEvaluations(
  buckets: readonly TimeBucket[],
  values: readonly number[],
  computed: Computed
): ProjectEvaluations {
  const evaluations = buckets.map(({ date }, index) => ({ date, value: values[index] ?? 0 }))
  return { result: { evaluations }, cached: false, ...computed }
}

/** Returns the number of evaluations of all variations, including the default. */
export function totalCount(counts: VariationCounts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}
