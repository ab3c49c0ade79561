import type { EvaluationCount } from '../../storage/events/eventEntry.ts'
import type { VariableIndex } from './variableIndex.ts'

/** What came of an evaluation, as results tell it apart: the variation that was served, or the application's default. */
export type EvaluationOutcome = Pick<EvaluationCount, 'variable' | 'feature' | 'variation'>

/**
 * What an evaluation of the variable with this key counts as. Of one that does not exist nothing is said, because its name can
 * be anything; a variation that the feature does not have counts as the default, because applications name those that they knew.
 */
export function evaluationOf(
  catalogue: VariableIndex,
  key: string,
  variationOf: (feature: string) => unknown = () => undefined
): EvaluationOutcome {
  const known = catalogue.findVariable(key)
  if (!known) return {}
  const { key: variable, feature, variations } = known
  const variation = feature === undefined ? undefined : variationOf(feature)
  const isKnown = typeof variation === 'string' && variations.has(variation)
  return { variable, feature, variation: isKnown ? variation : undefined }
}
