import type { CreateUserAccount, RoleGrant } from '@burgee/contract'
import { demandGrantable } from '../access/demandNoMore.ts'
import { created } from '../audit/changes.ts'
import type { Edit } from '../audit/edit.ts'
import { readGrants } from '../organizations/readGrants.ts'
import type { StoredUser } from '../store/resources.ts'
import type { PreparedPassword } from './setPassword.ts'

/** Adds a person, with a password that is theirs until they first sign in. @throws {ApiError} 403 or 404 for roles that the caller cannot grant. */
export async function addUser(
  { store, caller, stamps, note }: Edit,
  { email, name, roles = firstRoles }: Omit<CreateUserAccount, 'password'>,
  { passwordVerifier }: PreparedPassword
): Promise<StoredUser> {
  const grants = await readGrants(store, roles, caller)
  demandGrantable(caller, grants)
  const made = stamps()
  const user = await store.collection('users').insert({
    ...made,
    userId: `burgee|${made._id}`,
    email: email.toLowerCase(),
    name,
    roles: grants,
    isDisabled: false,
    passwordVerifier,
    mustChangePassword: true,
    _organization: caller.organization,
    _createdBy: caller.id
  })
  note({}, [created('User', user)])
  return user
}

/** Those of somebody for whom none are given. */
const firstRoles: RoleGrant[] = [{ role: 'member' }]
