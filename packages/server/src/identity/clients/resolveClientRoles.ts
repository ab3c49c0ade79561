import type { RoleGrant } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { assertFullAccess, assertGrantable } from '../../access/permissions/assertNoEscalation.ts'
import type { StoredGrant } from '../../storage/resources.ts'
import { resolveGrants } from '../organizations/resolveGrants.ts'

/** The roles a client is to have, none given for one that may do everything. @throws {ApiError} 403 or 404 for those that the caller cannot grant. */
export async function resolveClientRoles(
  { store, caller }: Pick<Edit, 'store' | 'caller'>,
  given: readonly RoleGrant[] | undefined
): Promise<readonly StoredGrant[] | undefined> {
  if (!given) {
    assertFullAccess(caller, 'a client without roles')
    return undefined
  }
  const roles = await resolveGrants(store, given, caller)
  assertGrantable(caller, roles)
  return roles
}
