import type { UpdateUserAccount } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { updateAudited } from '../../access/audit/updateAudited.ts'
import { assertGrantable } from '../../access/permissions/assertNoEscalation.ts'
import { preconditionFailed } from '../../lib/errors.ts'
import { omitUndefined } from '../../lib/object.ts'
import type { StoredUser } from '../../storage/resources.ts'
import { resolveGrants } from '../organizations/resolveGrants.ts'
import { assertMayManageUser } from './assertMayManageUser.ts'
import { getUser } from './getUser.ts'

/** Changes a person: their name, their roles, whether they are disabled. @throws {ApiError} 403, 404 or 412 */
export async function updateUser(
  change: Edit,
  reference: string,
  { name, roles, isDisabled }: UpdateUserAccount
): Promise<StoredUser> {
  const { store, caller, at } = change
  const before = await getUser(store, reference, caller)
  await assertMayManageUser(store, caller, before, 'changing this person')
  if (isDisabled && before.userId === caller.id) {
    throw preconditionFailed('nobody disables themselves: somebody else has to')
  }
  const grants = roles && (await resolveGrants(store, roles, caller))
  assertGrantable(caller, grants ?? [])
  const isNewlyDisabled = isDisabled === true && !before.isDisabled
  const after: StoredUser = {
    ...before,
    ...omitUndefined({ name, roles: grants, isDisabled }),
    // What they were signed in to stays void when they are let in again.
    ...(isNewlyDisabled ? { signedOutAt: at } : {})
  }
  return updateAudited(change, { collection: 'users', resource: 'User', subject: {} }, before, after)
}
