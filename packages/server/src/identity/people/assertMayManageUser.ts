import { assertNoEscalation } from '../../access/permissions/assertNoEscalation.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { effectiveGrants } from '../../access/permissions/effectiveGrants.ts'
import { toUserIdentity } from '../../access/permissions/findIdentity.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/**
 * Asserts that a person has no permission that the caller lacks, and is no owner unless the caller is. Roles that do
 * not count at present, because the identity provider controls roles, count here: they take effect when that ends.
 * `what` names the action in the message.
 * @throws {HttpError} 403
 */
export async function assertMayManageUser(
  store: Store,
  caller: TokenCaller,
  user: StoredUser,
  what: string
): Promise<void> {
  const organization = await store.collection('organizations').get({ key: user._organization })
  if (!organization) throw new Error(`organization ${user._organization} of user ${user._id} does not exist`)
  const { identity: _identity, provisioning: _provisioning, ...local } = user
  assertNoEscalation(caller, toUserIdentity(local, organization).access, effectiveGrants(local, organization), what)
}
