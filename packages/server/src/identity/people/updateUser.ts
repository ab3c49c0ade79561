import type { UpdateUserAccount } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../access/audit/edit.ts'
import { assertGrantable } from '../../access/permissions/assertNoEscalation.ts'
import { preconditionFailed } from '../../lib/errors.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { assertOwnerRemains } from '../organizations/assertOwnerRemains.ts'
import { getOrganization } from '../organizations/getOrganization.ts'
import { resolveGrants } from '../organizations/resolveGrants.ts'
import { assertMayManageUser } from './assertMayManageUser.ts'
import { getUser } from './getUser.ts'
import { storeUser } from './storeUser.ts'

/** Updates a person: name, roles, whether the account is disabled. @throws {HttpError} 403, 404, 409 or 412 */
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
  const isReleased = await assertLocallyManaged(store, before, { name, isDisabled })
  const isNewlyDisabled = isDisabled === true && !before.isDisabled
  const kept = isReleased ? withoutProvisioning(before) : before
  const after: StoredUser = {
    ...kept,
    ...omitUndefined({ name, roles: grants, isDisabled }),
    ...(kept.provisioning && isDisabled !== undefined ? { isLocked: isDisabled } : {}),
    // Existing logins stay revoked when the account is enabled again.
    ...(isNewlyDisabled ? { signedOutAt: at } : {})
  }
  // Without SCIM, the groups of the last login count.
  if (isReleased) await assertMayManageUser(store, caller, after, 'changing this person')
  const stored = await storeUser(change, before, after)
  await assertOwnerRemains(store, await getOrganization(store, caller), { people: [before] })
  return stored
}

/**
 * Asserts that a change does not affect members that SCIM manages. Returns true if SCIM no longer manages the person,
 * because the organization has no SCIM token left.
 * @throws {HttpError} 412
 */
async function assertLocallyManaged(
  store: Store,
  { email, name: before, provisioning, _organization }: StoredUser,
  { name, isDisabled }: Pick<UpdateUserAccount, 'name' | 'isDisabled'>
): Promise<boolean> {
  const isRenamed = name !== undefined && name !== before
  const isEnabled = isDisabled === false && provisioning?.active === false
  if (!provisioning || (!isRenamed && !isEnabled)) return false
  if (!(await store.collection('scimTokens').get({ _organization }))) return true
  throw preconditionFailed(
    isRenamed
      ? `the name of ${email} is provisioned by SCIM: change it at the identity provider`
      : `${email} was deactivated by SCIM: activate the person at the identity provider`
  )
}

function withoutProvisioning(user: StoredUser): StoredUser {
  const { provisioning, provisionedName, provisionedGroups, isLocked, ...account } = user
  return account
}
