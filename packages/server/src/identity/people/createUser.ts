import type { CreateUserAccount, RoleGrant } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { assertGrantable } from '../../access/permissions/assertNoEscalation.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import { resolveGrants } from '../organizations/resolveGrants.ts'
import { insertUser } from './insertUser.ts'
import type { HashedPassword } from './setPassword.ts'

/**
 * Creates a person with a temporary password, to be changed at the first login; without one, for sign-in through the
 * identity provider.
 * @throws {HttpError} 403 or 404 for roles that the caller cannot grant.
 */
export async function createUser(
  change: Edit,
  { email, name, roles = defaultRoles }: Omit<CreateUserAccount, 'password'>,
  password: HashedPassword | undefined
): Promise<StoredUser> {
  const { store, caller } = change
  const grants = await resolveGrants(store, roles, caller)
  assertGrantable(caller, grants)
  return insertUser(change, {
    email: email.toLowerCase(),
    name,
    roles: grants,
    ...password,
    mustChangePassword: password !== undefined,
    _organization: caller.organization,
    _createdBy: caller.id
  })
}

/** The roles of a person who is created without roles. */
const defaultRoles: RoleGrant[] = [{ role: 'member' }]
