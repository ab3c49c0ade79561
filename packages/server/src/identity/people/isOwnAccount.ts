import type { TokenCaller } from '../../access/permissions/caller.ts'
import { findRoots } from '../../access/permissions/findRoot.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/** Whether an account is that of the caller, or of a person who is responsible for the client that calls. */
export async function isOwnAccount(
  store: Store,
  { id }: Pick<TokenCaller, 'id'>,
  { userId }: Pick<StoredUser, 'userId'>
): Promise<boolean> {
  return (await findRoots(store, id)).has(userId)
}
