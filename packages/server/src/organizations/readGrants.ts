import type { RoleGrant } from '@burgee/contract'
import type { TokenCaller } from '../caller.ts'
import { findProject } from '../find.ts'
import type { Grant } from '../store/resources.ts'
import type { Store } from '../store/store.ts'

/** Roles as they are kept, from what a request gives: projects by key or id. @throws {ApiError} 404 when the caller sees no such project. */
export async function readGrants(
  store: Store,
  grants: readonly RoleGrant[],
  caller: TokenCaller
): Promise<readonly Grant[]> {
  return Promise.all(
    grants.map(async ({ role, project }) => ({ role, ...(await readProject(store, project, caller)) }))
  )
}

/** The project that a role is for, if it is for one. @throws {ApiError} 404 */
export async function readProject(
  store: Store,
  project: string | undefined,
  caller: TokenCaller
): Promise<Pick<Grant, '_project'>> {
  if (project === undefined) return {}
  // What the operation takes is of the organization; whether the role may be granted there is asked later.
  const { _id } = await findProject(store, project, { ...caller, needs: 'project:read' })
  return { _project: _id }
}

/** Roles as answers have them. */
export function toGrants(grants: readonly Grant[]): RoleGrant[] {
  return grants.map(({ role, _project }) => ({ role, ...(_project === undefined ? {} : { project: _project }) }))
}
