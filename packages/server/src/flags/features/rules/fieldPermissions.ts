import { isDeepStrictEqual } from 'node:util'
import type { Permission } from '@burgee/contract'
import type { Variation } from '@burgee/core'
import { assertPermission } from '../../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { StoredVariable } from '../../../storage/resources/feature.ts'
import { type FeatureDiff, isReordered } from './model/featureDiff.ts'
import type { FeatureState } from './model/featureState.ts'

/**
 * Asserts `variable:write` and `variation:write` for changes of variables and variations, regardless of the
 * operation. Values that are added or removed together with a variable belong to the change of the variable.
 * @throws {HttpError} 403
 */
export function assertFieldPermissions(caller: Pick<TokenCaller, 'access'>, diff: FeatureDiff): void {
  for (const permission of fieldPermissions(diff)) assertPermission(caller, permission, diff.after.feature._project)
}

function fieldPermissions(diff: FeatureDiff): readonly Permission[] {
  if (!diff.before) return []
  return [
    ...(changesVariables(diff) ? (['variable:write'] as const) : []),
    ...(changesVariations(diff, diff.before) ? (['variation:write'] as const) : [])
  ]
}

function changesVariables({ variables: { added, replaced, removed } }: FeatureDiff): boolean {
  const isChanged = replaced.some(({ before, after }) => !isDeepStrictEqual(ownFields(before), ownFields(after)))
  return isChanged || added.length > 0 || removed.length > 0
}

/** Leaves out the status, which follows that of the feature. */
function ownFields({ status, updatedAt, ...variable }: StoredVariable): object {
  return variable
}

function changesVariations({ variations: { added, replaced, removed }, after }: FeatureDiff, before: FeatureState) {
  if (added.length > 0 || removed.length > 0 || isReordered(before, after)) return true
  const present = new Set(after.variables.map(({ _id }) => _id))
  const kept = new Set(before.variables.flatMap(({ _id }) => (present.has(_id) ? [_id] : [])))
  return replaced.some((pair) => !isDeepStrictEqual(withValuesOf(pair.before, kept), withValuesOf(pair.after, kept)))
}

function withValuesOf(variation: Variation, variables: ReadonlySet<string>): Variation {
  return { ...variation, variables: variation.variables.filter(({ _var }) => variables.has(_var)) }
}
