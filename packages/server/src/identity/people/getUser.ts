import type { TokenCaller } from '../../access/permissions/caller.ts'
import { itemNotFound } from '../../lib/errors.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { canSeeAccount } from './toUserAccount.ts'

/** Returns a person of the caller's organization by id, user id or e-mail address. @throws {HttpError} 404 */
export async function getUser(
  store: Store,
  reference: string,
  { organization: _organization }: Pick<TokenCaller, 'organization'>
): Promise<StoredUser> {
  const users = store.collection('users')
  const user =
    (await users.get({ _organization, _id: reference })) ??
    (await users.get({ _organization, userId: reference })) ??
    (await users.get({ _organization, email: reference.toLowerCase() }))
  if (!user) throw itemNotFound('user', reference)
  return user
}

/**
 * Returns a person by a reference that the caller can use. Callers who cannot see the e-mail address of a person cannot
 * use it as a reference, so it does not reveal whether an account exists.
 * @throws {HttpError} 404
 */
export async function getVisibleUser(store: Store, reference: string, caller: TokenCaller): Promise<StoredUser> {
  const user = await getUser(store, reference, caller)
  const isByAddress = reference !== user._id && reference !== user.userId
  if (isByAddress && !canSeeAccount(caller, user)) throw itemNotFound('user', reference)
  return user
}
