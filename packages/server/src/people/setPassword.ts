import { modified } from '../audit/changes.ts'
import type { Edit } from '../audit/edit.ts'
import { makeVerifier } from '../secrets/verifier.ts'
import type { StoredUser } from '../store/resources.ts'

/** A password on its way into the store: what will be kept of it. */
export interface PreparedPassword {
  readonly passwordVerifier: string
}

/** Makes of a password what is kept of it. That takes a while: do it before the edit, so that no writer waits for it. */
export async function preparePassword(password: string): Promise<PreparedPassword> {
  return { passwordVerifier: await makeVerifier(password) }
}

/**
 * Gives a person a password that the policy has nothing against. What they were signed in to before is void.
 * `mustChange`: whether somebody else chose it.
 */
export async function setPassword(
  { store, at, note }: Edit,
  user: StoredUser,
  { passwordVerifier }: PreparedPassword,
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
  const changes = modified('User', user, after).map((change) => {
    return { ...change, metadata: { ...change.metadata, password: 'replaced' } }
  })
  note({}, changes)
  return after
}
