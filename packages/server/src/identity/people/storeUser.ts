import { modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'

/**
 * Stores the next state of a person, removes members that are missing from it, and records the change. Writes nothing
 * if nothing has changed.
 */
export async function storeUser(
  { store, at, recordChanges }: Edit,
  before: StoredUser,
  after: StoredUser
): Promise<StoredUser> {
  const changes = modifiedChanges('User', before, after)
  if (changes.length === 0) return before
  // Record that the password was removed, without the password.
  const isPasswordRemoved = before.passwordVerifier !== undefined && after.passwordVerifier === undefined
  const note = isPasswordRemoved ? { password: 'removed' } : {}
  const item = { ...after, updatedAt: at }
  // The store removes members that are undefined. Only optional ones can be missing from a state.
  const removed = Object.keys(before).filter((name) => !(name in after))
  await store
    .collection('users')
    .update(before._id, { ...Object.fromEntries(removed.map((name) => [name, undefined])), ...item })
  const recorded = changes.map((one) => ({ ...one, metadata: { ...one.metadata, ...note } }))
  recordChanges({}, recorded)
  return item
}
