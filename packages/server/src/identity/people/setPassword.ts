import { modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import type { StoredUser } from '../../storage/resources.ts'
import { hashSecret } from '../secrets/secretHash.ts'

/** A password on its way into the store: what will be kept of it. */
export interface HashedPassword {
  readonly passwordVerifier: string
}

/** Makes of a password what is kept of it. That takes a while: do it before the edit, so that no writer waits for it. */
export async function hashPassword(password: string): Promise<HashedPassword> {
  return { passwordVerifier: await hashSecret(password) }
}

/**
 * Gives a person a password that the policy has nothing against. What they were signed in to before is void.
 * `mustChange`: whether somebody else chose it.
 */
export async function setPassword(
  { store, at, recordChanges }: Edit,
  user: StoredUser,
  { passwordVerifier }: HashedPassword,
  { mustChange }: { readonly mustChange: boolean }
): Promise<StoredUser> {
  const after: StoredUser = {
    ...user,
    passwordVerifier,
    mustChangePassword: mustChange,
    signedOutAt: at,
    updatedAt: at
  }
  await store.collection('users').update(user._id, after)
  // That a password was replaced is told, and nothing of the password.
  const changes = modifiedChanges('User', user, after).map((change) => {
    return { ...change, metadata: { ...change.metadata, password: 'replaced' } }
  })
  recordChanges({}, changes)
  return after
}
