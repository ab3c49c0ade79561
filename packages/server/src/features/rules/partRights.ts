import { demand } from '../../access/demand.ts'
import type { TokenCaller } from '../../caller.ts'
import type { StoredVariable } from '../../store/resources.ts'
import { differencesOf, isNothing } from './differences.ts'
import type { FeatureState } from './featureState.ts'

/**
 * Demands the right to write what changes of the parts of a feature, whatever operation changes it: its variations, its
 * variables. The values that come and go with a variable are part of that.
 * @throws {ApiError} 403
 */
export function demandPartRights(
  caller: Pick<TokenCaller, 'access'>,
  before: FeatureState | undefined,
  after: FeatureState
): void {
  if (!before) return
  const { _project } = after.feature
  if (!isNothing(differencesOf(variables(before), variables(after)))) demand(caller, 'variable:write', _project)
  const had = new Set(before.variables.map(({ _id }) => _id))
  const kept = new Set(after.variables.flatMap(({ _id }) => (had.has(_id) ? [_id] : [])))
  const isOther = !isNothing(differencesOf(variations(before, kept), variations(after, kept)))
  if (isOther || order(before) !== order(after)) demand(caller, 'variation:write', _project)
}

/** Their status follows that of the feature. */
function variables({ variables }: FeatureState): readonly Omit<StoredVariable, 'status'>[] {
  return variables.map(({ status, ...variable }) => variable)
}

function variations({ feature }: FeatureState, kept: ReadonlySet<string>) {
  return feature.variations.map((variation) => ({
    ...variation,
    variables: variation.variables.filter(({ _var }) => kept.has(_var))
  }))
}

function order({ feature }: FeatureState): string {
  return feature.variations.map(({ _id }) => _id).join()
}
