import { modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import { runDerivation } from '../secrets/runDerivation.ts'
import type { SecretHasher } from '../secrets/secretHash.ts'

/** The hash of a password, ready to be stored. */
export interface HashedPassword {
  readonly passwordVerifier: string
}

/**
 * Hashes a password. This is slow, so call it before the edit, for which other writers wait. `caller` is the network or
 * the id of the person who sets it.
 * @throws {HttpError} 429 when too many wait.
 */
export async function hashPassword(
  password: string,
  { hasher, caller }: { readonly hasher: SecretHasher; readonly caller: string }
): Promise<HashedPassword> {
  return { passwordVerifier: await runDerivation({ caller, work: () => hasher.hash(password) }) }
}

/**
 * Sets the password of a person; the caller has validated it. Revokes existing logins. `mustChange` marks a password
 * that another person chose.
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
  // Record that a password was replaced, without the password.
  const changes = modifiedChanges('User', user, after).map((change) => {
    return { ...change, metadata: { ...change.metadata, password: 'replaced' } }
  })
  recordChanges({}, changes)
  return after
}
