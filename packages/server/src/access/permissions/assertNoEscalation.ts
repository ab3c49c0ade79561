import { type Permission, permissions, rolesByPermission } from '@burgee/contract'
import { forbidden } from '../../lib/errors.ts'
import type { StoredGrant } from '../../storage/resources.ts'
import { type Access, ALL_PROJECTS } from './access.ts'
import type { TokenCaller } from './caller.ts'

type Caller = Pick<TokenCaller, 'access'>

/** Asserts that a caller has every permission of the roles to be granted. Applies in mode `full`. @throws {ApiError} 403 */
export function assertGrantable(caller: Caller, grants: readonly StoredGrant[]): void {
  for (const { role, _project } of grants) {
    const gives = (permission: Permission) => rolesByPermission[permission].includes(role)
    assertCovers(caller, [_project], gives, `granting ${role}`)
  }
}

/** Asserts that a caller has all permissions everywhere. `what` names the action in the message. @throws {ApiError} 403 */
export function assertFullAccess(caller: Caller, what: string): void {
  assertCovers(caller, [undefined], () => true, what)
}

/**
 * Asserts that another account has no permission that the caller lacks, in the organization, in all projects, or in the projects
 * in which it has a role. `what` names the action in the message.
 * @throws {ApiError} 403
 */
export function assertNoEscalation(caller: Caller, other: Access, grants: readonly StoredGrant[], what: string): void {
  const projects = new Set([undefined, ...grants.map(({ _project }) => _project)])
  assertCovers(caller, projects, other.allows, what)
}

/** Asserts all permissions that apply to these projects, or to the organization and therefore to all projects. */
function assertCovers(
  caller: Caller,
  projects: Iterable<string | undefined>,
  counts: (permission: Permission, project?: string) => boolean,
  what: string
): void {
  for (const project of projects) {
    for (const permission of permissions) {
      for (const place of placesOf(permission, project)) {
        if (!counts(permission, place) || caller.access.allows(permission, place)) continue
        throw forbidden(`${what} takes the permission ${permission}${formatPlace(place)}`)
      }
    }
  }
}

/** The places where a permission applies: organization permissions only there, project permissions also in each project. */
function placesOf(permission: Permission, project: string | undefined): readonly (string | undefined)[] {
  if (project !== undefined) return [project]
  return permission.startsWith('organization:') ? [undefined] : [undefined, ALL_PROJECTS]
}

function formatPlace(place: string | undefined): string {
  if (place === undefined) return ''
  return place === ALL_PROJECTS ? ' in every project' : ` in project ${place}`
}
