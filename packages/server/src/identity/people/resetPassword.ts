import type { Edit } from '../../access/audit/edit.ts'
import { forbidden } from '../../lib/errors.ts'
import type { StoredUser } from '../../storage/resources.ts'
import { assertMayManageUser } from './assertMayManageUser.ts'
import { getUser } from './getUser.ts'
import { type HashedPassword, setPassword } from './setPassword.ts'

/** Gives somebody else a password, which is theirs until they next sign in. @throws {ApiError} 403 or 404 */
export async function resetPassword(change: Edit, reference: string, password: HashedPassword): Promise<StoredUser> {
  const { store, caller } = change
  const user = await getUser(store, reference, caller)
  if (user.userId === caller.id) {
    // Whoever only got hold of a token must not come by the account.
    throw forbidden('a password of your own takes the current one: use PUT /v1/organizations/current/password')
  }
  await assertMayManageUser(store, caller, user, 'resetting the password of this person')
  return setPassword(change, user, password, { mustChange: true })
}
