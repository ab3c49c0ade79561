import type { FeatureEvaluations, ProjectEvaluations } from '@burgee/contract/schemas'
import type { VariationCounts } from '../../storage/events/eventStore.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { TimeBucket } from './timeBuckets.ts'

/** Returns how often each variation of a feature was served in each period. `at` is the time of the counts. */
export function toFeatureEvaluations(
  { variations }: Pick<StoredFeature, 'variations'>,
  buckets: readonly TimeBucket[],
  counts: readonly VariationCounts[],
  at: string
): FeatureEvaluations {
  const names = new Map(variations.map(({ _id, key }) => [_id, key === DEFAULT ? _id : key]))
  // Removed variations are listed by their id.
  for (const id of counts.flatMap((count) => [...count.keys()])) if (id && !names.has(id)) names.set(id, id)
  names.set('', DEFAULT)
  const valuesOf = (count: VariationCounts | undefined) => {
    return Object.fromEntries([...names].map(([id, name]) => [name, count?.get(id) ?? 0]))
  }
  const evaluations = buckets.map(({ date }, index) => ({ date, values: valuesOf(counts[index]) }))
  return { result: { evaluations }, cached: false, updatedAt: at }
}

/** Counts evaluations that served no variation. A variation with this key is listed by its id. */
const DEFAULT = 'default'

/** Returns the number of evaluations, or of users, of a project in each period. `at` is the time of the counts. */
export function toProjectEvaluations(
  buckets: readonly TimeBucket[],
  values: readonly number[],
  at: string
): ProjectEvaluations {
  const evaluations = buckets.map(({ date }, index) => ({ date, value: values[index] ?? 0 }))
  return { result: { evaluations }, cached: false, updatedAt: at }
}

/** Returns the number of evaluations of all variations, including the default. */
export function totalCount(counts: VariationCounts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}
