import type { CreateUserAccount, RoleGrant } from '@burgee/contract/schemas'
import { createdChange } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { assertGrantable } from '../../access/permissions/assertNoEscalation.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import { resolveGrants } from '../organizations/resolveGrants.ts'
import type { HashedPassword } from './setPassword.ts'

/**
 * Creates a person with a temporary password, to be changed at the first login; without one, for sign-in through the
 * identity provider.
 * @throws {HttpError} 403 or 404 for roles that the caller cannot grant.
 */
export async function createUser(
  { store, caller, recordFields, recordChanges }: Edit,
  { email, name, roles = defaultRoles }: Omit<CreateUserAccount, 'password'>,
  password: HashedPassword | undefined
): Promise<StoredUser> {
  const grants = await resolveGrants(store, roles, caller)
  assertGrantable(caller, grants)
  const fields = recordFields()
  const user = await store.collection('users').insert({
    ...fields,
    userId: `burgee|${fields._id}`,
    email: email.toLowerCase(),
    name,
    roles: grants,
    isDisabled: false,
    ...password,
    mustChangePassword: password !== undefined,
    _organization: caller.organization,
    _createdBy: caller.id
  })
  recordChanges({}, [createdChange('User', user)])
  return user
}

/** The roles of a person who is created without roles. */
const defaultRoles: RoleGrant[] = [{ role: 'member' }]
