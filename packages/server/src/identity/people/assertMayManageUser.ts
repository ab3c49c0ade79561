import { assertNoEscalation } from '../../access/permissions/assertNoEscalation.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { effectiveGrants } from '../../access/permissions/effectiveGrants.ts'
import { toUserIdentity } from '../../access/permissions/findIdentity.ts'
import type { StoredUser } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'

/** Demands that a person may not do more than the caller. `what` is what would be done to them. @throws {ApiError} 403 */
export async function assertMayManageUser(
  store: Store,
  caller: TokenCaller,
  user: StoredUser,
  what: string
): Promise<void> {
  const organization = await store.collection('organizations').get({ key: user._organization })
  if (!organization) throw new Error(`user ${user._id} is of an organization that is not there: ${user._organization}`)
  assertNoEscalation(caller, toUserIdentity(user, organization).access, effectiveGrants(user, organization), what)
}
