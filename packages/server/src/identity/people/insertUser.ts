import { createdChange } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { RecordFields } from '../../storage/resources/recordFields.ts'
import { assertMayManageUser } from './assertMayManageUser.ts'
import { storeUser } from './storeUser.ts'

/**
 * Stores a new person, and records the change. An account with the same address loses it if its identity provider has
 * not verified it: an unverified address must not lock its real owner out.
 * @throws {HttpError} 403 if the caller cannot manage that account.
 */
export async function insertUser(
  change: Edit,
  { fields = change.recordFields(), ...members }: NewUser
): Promise<StoredUser> {
  const { store, caller, recordChanges } = change
  const { _organization, email } = members
  const holder = await store.collection('users').get({ _organization, email })
  if (holder && !hasProvenAddress(holder)) {
    await assertMayManageUser(store, caller, holder, 'taking over the address of this person')
    await storeUser(change, holder, { ...holder, email: `${holder._id}@unverified.invalid` })
  }
  const user = await store.collection('users').insert({
    ...fields,
    userId: `burgee|${fields._id}`,
    isDisabled: false,
    mustChangePassword: false,
    ...members
  })
  recordChanges({}, [createdChange('User', user)])
  return user
}

/** Whether an administrator, SCIM, or the identity provider vouches for the address of a person. */
export function hasProvenAddress({ identity, provisioning }: StoredUser): boolean {
  return identity?.isEmailVerified ?? (identity === undefined || provisioning !== undefined)
}

interface NewUser
  extends Omit<StoredUser, keyof RecordFields | 'userId' | 'isDisabled' | 'mustChangePassword'>,
    Partial<Pick<StoredUser, 'isDisabled' | 'mustChangePassword'>> {
  /** The members that every record has, if they were needed before. */
  readonly fields?: RecordFields
}
