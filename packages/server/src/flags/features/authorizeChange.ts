import type { TokenCaller } from '../../access/permissions/caller.ts'
import { assertFieldPermissions } from './rules/fieldPermissions.ts'
import type { FeatureDiff } from './rules/model/featureDiff.ts'
import { assertCanPublish } from './rules/publishPermission.ts'

/** @throws {ApiError} 403 when the caller lacks a permission that the change needs. */
export function authorizeChange(caller: TokenCaller, diff: FeatureDiff): void {
  assertCanPublish(caller, diff)
  assertFieldPermissions(caller, diff)
}
