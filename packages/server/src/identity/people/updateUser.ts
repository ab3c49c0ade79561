import type { UpdateUserAccount } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../access/audit/edit.ts'
import { updateAudited } from '../../access/audit/updateAudited.ts'
import { assertGrantable } from '../../access/permissions/assertNoEscalation.ts'
import { preconditionFailed } from '../../lib/errors.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import { resolveGrants } from '../organizations/resolveGrants.ts'
import { assertMayManageUser } from './assertMayManageUser.ts'
import { getUser } from './getUser.ts'

/** Updates a person: name, roles, whether the account is disabled. @throws {HttpError} 403, 404 or 412 */
export async function updateUser(
  change: Edit,
  reference: string,
  { name, roles, isDisabled }: UpdateUserAccount
): Promise<StoredUser> {
  const { store, caller, at } = change
  const before = await getUser(store, reference, caller)
  await assertMayManageUser(store, caller, before, 'changing this person')
  if (isDisabled && before.userId === caller.id) {
    throw preconditionFailed('you cannot disable your own account: ask another administrator')
  }
  const grants = roles && (await resolveGrants(store, roles, caller))
  assertGrantable(caller, grants ?? [])
  assertNotProvisioned(before, { name, isDisabled })
  const isNewlyDisabled = isDisabled === true && !before.isDisabled
  const after: StoredUser = {
    ...before,
    ...omitUndefined({ name, roles: grants, isDisabled }),
    ...(before.provisioning && isDisabled !== undefined ? { isLocked: isDisabled } : {}),
    // Existing logins stay revoked when the account is enabled again.
    ...(isNewlyDisabled ? { signedOutAt: at } : {})
  }
  return updateAudited(change, { collection: 'users', resource: 'User', subject: {} }, before, after)
}

/** Asserts that a change leaves alone what SCIM manages. @throws {HttpError} 412 */
function assertNotProvisioned(
  { email, name: before, provisioning }: StoredUser,
  { name, isDisabled }: Pick<UpdateUserAccount, 'name' | 'isDisabled'>
): void {
  if (!provisioning) return
  if (name !== undefined && name !== before) {
    throw preconditionFailed(`the name of ${email} is provisioned by SCIM: change it at the identity provider`)
  }
  if (isDisabled === false && !provisioning.active) {
    throw preconditionFailed(`${email} was deactivated by SCIM: activate the person at the identity provider`)
  }
}
