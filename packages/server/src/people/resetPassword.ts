import type { Edit } from '../audit/edit.ts'
import { forbidden } from '../errors.ts'
import type { StoredUser } from '../store/resources.ts'
import { demandBelow } from './demandBelow.ts'
import { findUser } from './findUser.ts'
import { type PreparedPassword, setPassword } from './setPassword.ts'

/** Gives somebody else a password, which is theirs until they next sign in. @throws {ApiError} 403 or 404 */
export async function resetPassword(change: Edit, reference: string, password: PreparedPassword): Promise<StoredUser> {
  const { store, caller } = change
  const user = await findUser(store, reference, caller)
  if (user.userId === caller.id) {
    // Whoever only got hold of a token must not come by the account.
    throw forbidden('a password of your own takes the current one: use PUT /v1/organizations/current/password')
  }
  await demandBelow(store, caller, user, 'resetting the password of this person')
  return setPassword(change, user, password, { mustChange: true })
}
