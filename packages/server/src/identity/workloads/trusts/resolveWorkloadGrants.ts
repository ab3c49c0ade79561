import { type CreateWorkloadTrust, DEFAULT_WORKLOAD_TOKEN_LIFETIME } from '@burgee/contract/schemas'
import type { Edit } from '../../../access/audit/edit.ts'
import { findInProject, getProject } from '../../../access/lookup.ts'
import { createAccess } from '../../../access/permissions/access.ts'
import { assertNoEscalation } from '../../../access/permissions/assertNoEscalation.ts'
import { itemNotFound } from '../../../lib/errors.ts'
import type { StoredWorkloadGrants } from '../../../storage/resources/workload.ts'

/**
 * Resolves the grants of a trust. Keys become ids, so that the trust does not apply to a project or environment that
 * gets the same key later.
 * @throws {HttpError} 403 for permissions that the caller does not have, 404 for unknown projects and environments.
 */
export async function resolveWorkloadGrants(
  { store, caller }: Pick<Edit, 'store' | 'caller'>,
  { projects, role, scopes, environments, maxLifetime = DEFAULT_WORKLOAD_TOKEN_LIFETIME }: CreateWorkloadTrust['grants']
): Promise<StoredWorkloadGrants> {
  const _projects: string[] = []
  for (const reference of projects) {
    const { _id } = await getProject(store, reference, { ...caller, requiredPermission: 'project:read' })
    _projects.push(_id)
  }
  const _environments: string[] = []
  for (const reference of environments ?? []) {
    const found = await Promise.all(_projects.map((_id) => findInProject(store, 'environments', { _id }, reference)))
    const ids = found.flatMap((environment) => environment?._id ?? [])
    if (ids.length === 0) throw itemNotFound('environment', reference, { within: 'the projects of the trust' })
    _environments.push(...ids)
  }
  const grants = {
    _projects: [...new Set(_projects)],
    maxLifetime,
    ...(role === undefined ? {} : { role }),
    ...(scopes === undefined ? {} : { permissions: [...new Set(scopes)] }),
    ...(environments === undefined ? {} : { _environments: [...new Set(_environments)] })
  }
  assertMayGrant(caller, grants)
  return grants
}

/**
 * Asserts that the caller has the permissions that a trust grants.
 * @throws {HttpError} 403
 */
export function assertMayGrant(
  caller: Edit['caller'],
  { _projects, role = 'project_admin', permissions }: StoredWorkloadGrants
): void {
  const grants = _projects.map((_project) => ({ role, _project }))
  const limit = permissions && new Set(permissions)
  const granted = createAccess({ grants, mode: 'full', extendsToProjects: false, limit })
  assertNoEscalation(caller, granted, grants, 'granting these permissions')
}
