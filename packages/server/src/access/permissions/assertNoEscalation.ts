import { type Permission, permissions, rolesByPermission } from '@burgee/contract'
import { forbidden } from '../../lib/errors.ts'
import type { StoredGrant } from '../../storage/resources.ts'
import { type Access, ALL_PROJECTS } from './access.ts'
import type { TokenCaller } from './caller.ts'

type Caller = Pick<TokenCaller, 'access'>

/** Demands that a caller may do all that these roles give where roles are told apart in full: nobody grants more. @throws {ApiError} 403 */
export function assertGrantable(caller: Caller, grants: readonly StoredGrant[]): void {
  for (const { role, _project } of grants) {
    const gives = (permission: Permission) => rolesByPermission[permission].includes(role)
    assertCovers(caller, [_project], gives, `granting ${role}`)
  }
}

/** Demands that a caller may do everything, everywhere. `what` is what takes that. @throws {ApiError} 403 */
export function assertFullAccess(caller: Caller, what: string): void {
  assertCovers(caller, [undefined], () => true, what)
}

/**
 * Demands that somebody else may nowhere do more than the caller: in the organization, in all projects, or in those where
 * they have a role. `what` is what would be done to them.
 * @throws {ApiError} 403
 */
export function assertNoEscalation(caller: Caller, other: Access, grants: readonly StoredGrant[], what: string): void {
  const projects = new Set([undefined, ...grants.map(({ _project }) => _project)])
  assertCovers(caller, projects, other.allows, what)
}

/** Demands those of all permissions that count in these projects, or in the organization and with it in all projects. */
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

/** Where a permission is of use: one of the organization there alone, one of projects also in each of them. */
function placesOf(permission: Permission, project: string | undefined): readonly (string | undefined)[] {
  if (project !== undefined) return [project]
  return permission.startsWith('organization:') ? [undefined] : [undefined, ALL_PROJECTS]
}

function formatPlace(place: string | undefined): string {
  if (place === undefined) return ''
  return place === ALL_PROJECTS ? ' in every project' : ` in project ${place}`
}
