import { assertPermission } from '../../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { StoredVariable } from '../../../storage/resources.ts'
import { diffItems, isEmptyDiff } from './model/diffItems.ts'
import type { FeatureState } from './model/featureState.ts'

/**
 * Demands the right to write what changes of the parts of a feature, whatever operation changes it: its variations, its
 * variables. The values that come and go with a variable are part of that.
 * @throws {ApiError} 403
 */
export function assertFieldPermissions(
  caller: Pick<TokenCaller, 'access'>,
  before: FeatureState | undefined,
  after: FeatureState
): void {
  if (!before) return
  const { _project } = after.feature
  if (!isEmptyDiff(diffItems(variables(before), variables(after)))) assertPermission(caller, 'variable:write', _project)
  const had = new Set(before.variables.map(({ _id }) => _id))
  const kept = new Set(after.variables.flatMap(({ _id }) => (had.has(_id) ? [_id] : [])))
  const isOther = !isEmptyDiff(diffItems(variations(before, kept), variations(after, kept)))
  if (isOther || order(before) !== order(after)) assertPermission(caller, 'variation:write', _project)
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
