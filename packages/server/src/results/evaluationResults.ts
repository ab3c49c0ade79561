import type { FeatureEvaluations, ProjectEvaluations } from '@burgee/contract'
import type { StoredFeature } from '../store/resources.ts'

/** How often each variation of a feature was served in each of these periods, as counted `at` a moment. Nothing counts evaluations yet. */
export function featureEvaluations(
  { variations }: Pick<StoredFeature, 'variations'>,
  buckets: readonly string[],
  at: string
): FeatureEvaluations {
  const names = [...variations.map(({ key }) => key), 'default']
  const evaluations = buckets.map((date) => ({ date, values: Object.fromEntries(names.map((name) => [name, 0])) }))
  return { result: { evaluations }, cached: false, updatedAt: at }
}

/** How much was evaluated in a project in each of these periods, as counted `at` a moment. Nothing counts evaluations yet. */
export function projectEvaluations(buckets: readonly string[], at: string): ProjectEvaluations {
  return { result: { evaluations: buckets.map((date) => ({ date, value: 0 })) }, cached: false, updatedAt: at }
}
