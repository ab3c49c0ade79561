import { assertNoEscalation } from '../../access/permissions/assertNoEscalation.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { effectiveGrants } from '../../access/permissions/effectiveGrants.ts'
import { toUserIdentity } from '../../access/permissions/findIdentity.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/**
 * Asserts that a person has no permission that the caller lacks. `what` names the action in the message.
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
  assertNoEscalation(caller, toUserIdentity(user, organization).access, effectiveGrants(user, organization), what)
}
