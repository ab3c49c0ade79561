import type { CreateUserAccount } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { fullAccess } from '../../access/permissions/access.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { createUser } from '../../identity/people/createUser.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'

/** The people who made the changes of the demo, as the authors of edits. */
export interface DemoPeople {
  readonly ada: TokenCaller
  readonly grace: TokenCaller
}

/** Creates the people of the demo. They have no password, so nobody can sign in as one of them. */
export async function addDemoPeople(change: Edit): Promise<DemoPeople> {
  const add = async (account: Omit<CreateUserAccount, 'password'>) =>
    toCaller(await createUser(change, account, undefined))
  return {
    ada: await add({ email: 'ada@demo.invalid', name: 'Ada Lovelace', roles: [{ role: 'publisher' }] }),
    grace: await add({ email: 'grace@demo.invalid', name: 'Grace Hopper', roles: [{ role: 'member' }] })
  }
}

function toCaller({ userId, name, email, _organization }: StoredUser): TokenCaller {
  return {
    id: userId,
    name,
    email,
    organization: _organization,
    actor: 'person',
    access: fullAccess,
    requiredPermission: 'project:read',
    source: 'dashboard'
  }
}
