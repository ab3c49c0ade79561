import { modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { isOwnAccount } from '../../access/permissions/findRoot.ts'
import { forbidden } from '../../lib/errors.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import { assertMayManageUser } from '../people/assertMayManageUser.ts'
import { getUser } from '../people/getUser.ts'
import { removeAllFactors } from './factors.ts'

/** Removes the second factors of a person, and signs the person out everywhere. @throws {HttpError} 403 or 404 */
export async function resetSecondFactors(change: Edit, reference: string): Promise<StoredUser> {
  const { store, caller, at, recordChanges } = change
  const user = await getUser(store, reference, caller)
  if (await isOwnAccount(store, caller.id, user.userId)) {
    // A stolen access token, which can create a client, must not suffice to remove the second factor.
    throw forbidden(
      'removing your own second factors requires a recent sign-in: use DELETE /v1/me/second-factors/{factor}'
    )
  }
  await assertMayManageUser(store, caller, user, 'removing the second factors of this person')
  await removeAllFactors(change, user)
  const after: StoredUser = { ...user, signedOutAt: at, updatedAt: at }
  await store.collection('users').update(user._id, after)
  const changes = modifiedChanges('User', user, after).map((one) => {
    return { ...one, metadata: { ...one.metadata, secondFactors: 'removed' } }
  })
  recordChanges({}, changes)
  return after
}
