import type { RoleGrant } from '@burgee/contract/schemas'
import { getProject } from '../../access/lookup.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredGrant } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/**
 * Converts roles of a request to stored grants; projects are given by key or id.
 * @throws {HttpError} 404 if the caller cannot see the project.
 */
export async function resolveGrants(
  store: Store,
  grants: readonly RoleGrant[],
  caller: TokenCaller
): Promise<readonly StoredGrant[]> {
  return Promise.all(
    grants.map(async ({ role, project }) => ({ role, ...(await resolveGrantProject(store, project, caller)) }))
  )
}

/** Returns the project of a role, if it has one. @throws {HttpError} 404 */
export async function resolveGrantProject(
  store: Store,
  project: string | undefined,
  caller: TokenCaller
): Promise<Pick<StoredGrant, '_project'>> {
  if (project === undefined) return {}
  // The operation's permission applies to the organization; whether the caller may grant the role is checked later.
  const { _id } = await getProject(store, project, { ...caller, requiredPermission: 'project:read' })
  return { _project: _id }
}

/** Converts grants to their API form. */
export function toRoleGrants(grants: readonly StoredGrant[]): RoleGrant[] {
  return grants.map(({ role, _project }) => ({ role, ...(_project === undefined ? {} : { project: _project }) }))
}
