import type { RoleGrant } from '@burgee/contract/schemas'
import { getProject } from '../../access/lookup.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredGrant } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'

/** Roles as they are kept, from what a request gives: projects by key or id. @throws {ApiError} 404 when the caller sees no such project. */
export async function resolveGrants(
  store: Store,
  grants: readonly RoleGrant[],
  caller: TokenCaller
): Promise<readonly StoredGrant[]> {
  return Promise.all(
    grants.map(async ({ role, project }) => ({ role, ...(await resolveGrantProject(store, project, caller)) }))
  )
}

/** The project that a role is for, if it is for one. @throws {ApiError} 404 */
export async function resolveGrantProject(
  store: Store,
  project: string | undefined,
  caller: TokenCaller
): Promise<Pick<StoredGrant, '_project'>> {
  if (project === undefined) return {}
  // What the operation takes is of the organization; whether the role may be granted there is asked later.
  const { _id } = await getProject(store, project, { ...caller, requiredPermission: 'project:read' })
  return { _project: _id }
}

/** Roles as answers have them. */
export function toRoleGrants(grants: readonly StoredGrant[]): RoleGrant[] {
  return grants.map(({ role, _project }) => ({ role, ...(_project === undefined ? {} : { project: _project }) }))
}
