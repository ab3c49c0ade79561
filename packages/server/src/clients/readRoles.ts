import type { RoleGrant } from '@burgee/contract'
import { demandEverything, demandGrantable } from '../access/demandNoMore.ts'
import type { Edit } from '../audit/edit.ts'
import { readGrants } from '../organizations/readGrants.ts'
import type { Grant } from '../store/resources.ts'

/** The roles a client is to have, none given for one that may do everything. @throws {ApiError} 403 or 404 for those that the caller cannot grant. */
export async function readRoles(
  { store, caller }: Pick<Edit, 'store' | 'caller'>,
  given: readonly RoleGrant[] | undefined
): Promise<readonly Grant[] | undefined> {
  if (!given) {
    demandEverything(caller, 'a client without roles')
    return undefined
  }
  const roles = await readGrants(store, given, caller)
  demandGrantable(caller, roles)
  return roles
}
