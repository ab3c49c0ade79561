import { createdChange } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { RecordFields } from '../../storage/resources/recordFields.ts'

/** Stores a new person, and records the change. */
export async function insertUser(
  { store, recordFields, recordChanges }: Edit,
  { fields = recordFields(), ...members }: NewUser
): Promise<StoredUser> {
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

interface NewUser
  extends Omit<StoredUser, keyof RecordFields | 'userId' | 'isDisabled' | 'mustChangePassword'>,
    Partial<Pick<StoredUser, 'isDisabled' | 'mustChangePassword'>> {
  /** The members that every record has, if they were needed before. */
  readonly fields?: RecordFields
}
