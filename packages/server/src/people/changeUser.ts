import type { UpdateUserAccount } from '@burgee/contract'
import { demandGrantable } from '../access/demandNoMore.ts'
import type { Edit } from '../audit/edit.ts'
import { replaceItem } from '../audit/replaceItem.ts'
import { preconditionFailed } from '../errors.ts'
import { given } from '../given.ts'
import { readGrants } from '../organizations/readGrants.ts'
import type { StoredUser } from '../store/resources.ts'
import { demandBelow } from './demandBelow.ts'
import { findUser } from './findUser.ts'

/** Changes a person: their name, their roles, whether they are disabled. @throws {ApiError} 403, 404 or 412 */
export async function changeUser(
  change: Edit,
  reference: string,
  { name, roles, isDisabled }: UpdateUserAccount
): Promise<StoredUser> {
  const { store, caller, at } = change
  const before = await findUser(store, reference, caller)
  await demandBelow(store, caller, before, 'changing this person')
  if (isDisabled && before.userId === caller.id) {
    throw preconditionFailed('nobody disables themselves: somebody else has to')
  }
  const grants = roles && (await readGrants(store, roles, caller))
  demandGrantable(caller, grants ?? [])
  const isNewlyDisabled = isDisabled === true && !before.isDisabled
  const after: StoredUser = {
    ...before,
    ...given({ name, roles: grants, isDisabled }),
    // What they were signed in to stays void when they are let in again.
    ...(isNewlyDisabled ? { signedOutAt: at } : {})
  }
  return replaceItem(change, { collection: 'users', resource: 'User', subject: {} }, before, after)
}
