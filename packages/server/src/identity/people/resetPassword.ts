import type { Edit } from '../../access/audit/edit.ts'
import { isOwnAccount } from '../../access/permissions/findRoot.ts'
import { forbidden } from '../../lib/errors.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import { assertMayManageUser } from './assertMayManageUser.ts'
import { getUser } from './getUser.ts'
import { type HashedPassword, setPassword } from './setPassword.ts'

/** Assigns a temporary password to another person. @throws {HttpError} 403 or 404 */
export async function resetPassword(change: Edit, reference: string, password: HashedPassword): Promise<StoredUser> {
  const { store, caller } = change
  const user = await getUser(store, reference, caller)
  if (await isOwnAccount(store, caller.id, user.userId)) {
    // A stolen access token, which can create a client, must not be enough to take over the account.
    throw forbidden('changing your own password requires the current one: use PUT /v1/organizations/current/password')
  }
  await assertMayManageUser(store, caller, user, 'resetting the password of this person')
  return setPassword(change, user, password, { mustChange: true })
}
