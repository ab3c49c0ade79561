import type { RoleGrant } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { assertFullAccess, assertGrantable } from '../../access/permissions/assertNoEscalation.ts'
import type { StoredGrant } from '../../storage/resources/organization.ts'
import { resolveGrants } from '../organizations/resolveGrants.ts'

/**
 * Resolves the roles of a client; undefined for full access.
 * @throws {HttpError} 403 or 404 for roles that the caller cannot grant.
 */
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
