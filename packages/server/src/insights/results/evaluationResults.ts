import type { FeatureEvaluations, ProjectEvaluations } from '@burgee/contract/schemas'
import type { VariationCounts } from '../../storage/events/eventStore.ts'
import type { StoredFeature } from '../../storage/resources.ts'
import type { TimeBucket } from './timeBuckets.ts'

/** How often each variation of a feature was served in each of these periods, as counted `at` a moment. */
export function toFeatureEvaluations(
  { variations }: Pick<StoredFeature, 'variations'>,
  buckets: readonly TimeBucket[],
  counts: readonly VariationCounts[],
  at: string
): FeatureEvaluations {
  const names = new Map(variations.map(({ _id, key }) => [_id, key === DEFAULT ? _id : key]))
  // Variations that are gone were served all the same.
  for (const id of counts.flatMap((count) => [...count.keys()])) if (id && !names.has(id)) names.set(id, id)
  names.set('', DEFAULT)
  const valuesOf = (count: VariationCounts | undefined) => {
    return Object.fromEntries([...names].map(([id, name]) => [name, count?.get(id) ?? 0]))
  }
  const evaluations = buckets.map(({ date }, index) => ({ date, values: valuesOf(counts[index]) }))
  return { result: { evaluations }, cached: false, updatedAt: at }
}

/** What stands for those who got no variation; a variation of that name goes by its id. */
const DEFAULT = 'default'

/** How much was evaluated in a project, or for how many users, in each of these periods, as counted `at` a moment. */
export function toProjectEvaluations(
  buckets: readonly TimeBucket[],
  values: readonly number[],
  at: string
): ProjectEvaluations {
  const evaluations = buckets.map(({ date }, index) => ({ date, value: values[index] ?? 0 }))
  return { result: { evaluations }, cached: false, updatedAt: at }
}

/** How much there is of all variations together, the application's default included. */
export function totalCount(counts: VariationCounts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}
