import type { Operations } from '@burgee/contract'
import type { Edit } from '../../access/audit/edit.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { assertDirectChangeAllowed, assertDirectCreationAllowed } from '../approvals/assertDirectChangeAllowed.ts'
import { assertChangeNotLocked } from '../approvals/lock.ts'
import { assertFieldPermissions } from './rules/fieldPermissions.ts'
import type { FeatureDiff } from './rules/model/featureDiff.ts'
import { assertCanPublish } from './rules/publishPermission.ts'

/** How approvals of the project apply to a change. */
export interface ChangePolicy {
  readonly project: StoredProject
  /**
   * `required`: the caller makes the change directly. `given`: an approved change request makes it. `exempt`: the
   * change needs no approval and ignores locks. `preview`: the change is rolled back, so only locks apply.
   * `requestPreview`: the change of a change request, whose own lock is no obstacle, is rolled back.
   */
  readonly approval: 'required' | 'given' | 'exempt' | 'preview' | 'requestPreview'
  /** The operation that a change request for the change wraps; `updateFeature` if omitted. */
  readonly operation?: keyof Operations | undefined
}

/**
 * Asserts that the caller may make a change, by approvals and by permissions.
 * @throws {HttpError} 403 when the change needs approval or a permission, 409 when a change request locks what it
 * changes.
 */
export async function authorizeChange({ store, caller }: Edit, diff: FeatureDiff, policy: ChangePolicy): Promise<void> {
  if (policy.approval === 'requestPreview') return
  if (policy.approval === 'preview') return assertChangeNotLocked(store, policy.project, diff)
  if (policy.approval === 'required') {
    if (diff.before) await assertDirectChangeAllowed(store, diff, { ...policy, caller })
    else assertDirectCreationAllowed(diff, { ...policy, caller })
  }
  assertCanPublish(caller, diff)
  assertFieldPermissions(caller, diff)
}

/**
 * Asserts that variables may move from an archived feature to the changed feature. An archived feature serves nobody,
 * so this does not require `feature:publish`.
 * @throws {HttpError} 409 when a change request locks it.
 */
export async function authorizeDetachment(
  { store, caller }: Edit,
  diff: FeatureDiff,
  { project, approval }: ChangePolicy
): Promise<void> {
  if (approval === 'required') await assertDirectChangeAllowed(store, diff, { project, caller })
  if (approval === 'given' || approval === 'preview') await assertChangeNotLocked(store, project, diff)
}
