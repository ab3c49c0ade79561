import { demandNotAbove } from '../access/demandNoMore.ts'
import { grantsOf } from '../access/grantsOf.ts'
import { identityOfUser } from '../access/identify.ts'
import type { TokenCaller } from '../caller.ts'
import type { StoredUser } from '../store/resources.ts'
import type { Store } from '../store/store.ts'

/** Demands that a person may not do more than the caller. `what` is what would be done to them. @throws {ApiError} 403 */
export async function demandBelow(store: Store, caller: TokenCaller, user: StoredUser, what: string): Promise<void> {
  const organization = await store.collection('organizations').get({ key: user._organization })
  if (!organization) throw new Error(`user ${user._id} is of an organization that is not there: ${user._organization}`)
  demandNotAbove(caller, identityOfUser(user, organization).access, grantsOf(user, organization), what)
}
