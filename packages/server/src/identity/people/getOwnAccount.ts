import type { TokenCaller } from '../../access/permissions/caller.ts'
import { forbidden } from '../../lib/errors.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/**
 * Returns the account of the caller.
 * @throws {HttpError} 403 if the caller is not a person acting directly, or the token is limited: it was allowed for
 * something else.
 */
export async function getOwnAccount(store: Store, { id, actor, isLimited }: TokenCaller): Promise<StoredUser> {
  const user = actor === 'person' ? await store.collection('users').get({ userId: id }) : undefined
  if (!user) throw forbidden(`only a person can do this, and only for themselves; the caller is: ${actor}`)
  if (isLimited) throw forbidden('this requires a token without limits; the scope or the client of this one limits it')
  return user
}
