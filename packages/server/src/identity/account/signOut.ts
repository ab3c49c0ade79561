import { modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit, EditRunner } from '../../access/audit/edit.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { assertMayManageUser } from '../people/assertMayManageUser.ts'
import { getOwnAccount } from '../people/getOwnAccount.ts'
import { getUser } from '../people/getUser.ts'
import { revokeAuthorizations } from '../revocation/revokeAuthorizations.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
}

/** Ends everything that was issued to the caller. @throws {HttpError} 403 */
export async function signOutEverywhere({ store, edit }: Dependencies, caller: TokenCaller): Promise<void> {
  await getOwnAccount(store, caller)
  const user = await edit(caller, async (change) => recordSignOut(change, await getOwnAccount(change.store, caller)))
  await revokeAuthorizations(store, { accountId: user.userId }, user.signedOutAt)
}

/** Ends everything that was issued to a person. @throws {HttpError} 403 or 404 */
export async function signOutUser(
  { store, edit }: Dependencies,
  caller: TokenCaller,
  reference: string
): Promise<void> {
  const user = await edit(caller, async (change) => {
    const found = await getUser(change.store, reference, caller)
    await assertMayManageUser(change.store, caller, found, 'signing this person out')
    return recordSignOut(change, found)
  })
  await revokeAuthorizations(store, { accountId: user.userId }, user.signedOutAt)
}

/** Sessions, consents and tokens from before this change are revoked from now on, whether they are stored or not. */
export async function recordSignOut({ store, at, recordChanges }: Edit, user: StoredUser): Promise<StoredUser> {
  const after: StoredUser = { ...user, signedOutAt: at, updatedAt: at }
  await store.collection('users').update(user._id, after)
  recordChanges({}, modifiedChanges('User', user, after))
  return after
}
