import { type Permission, permissions, rolesWith } from '@burgee/contract'
import type { TokenCaller } from '../caller.ts'
import { forbidden } from '../errors.ts'
import type { Grant } from '../store/resources.ts'
import { type Access, EVERY_PROJECT } from './access.ts'

type Caller = Pick<TokenCaller, 'access'>

/** Demands that a caller may do all that these roles give where roles are told apart in full: nobody grants more. @throws {ApiError} 403 */
export function demandGrantable(caller: Caller, grants: readonly Grant[]): void {
  for (const { role, _project } of grants) {
    const gives = (permission: Permission) => rolesWith[permission].includes(role)
    demandAll(caller, [_project], gives, `granting ${role}`)
  }
}

/** Demands that a caller may do everything, everywhere. `what` is what takes that. @throws {ApiError} 403 */
export function demandEverything(caller: Caller, what: string): void {
  demandAll(caller, [undefined], () => true, what)
}

/**
 * Demands that somebody else may nowhere do more than the caller: in the organization, in all projects, or in those where
 * they have a role. `what` is what would be done to them.
 * @throws {ApiError} 403
 */
export function demandNotAbove(caller: Caller, other: Access, grants: readonly Grant[], what: string): void {
  const projects = new Set([undefined, ...grants.map(({ _project }) => _project)])
  demandAll(caller, projects, other.allows, what)
}

/** Demands those of all permissions that count in these projects, or in the organization and with it in all projects. */
function demandAll(
  caller: Caller,
  projects: Iterable<string | undefined>,
  counts: (permission: Permission, project?: string) => boolean,
  what: string
): void {
  for (const project of projects) {
    for (const permission of permissions) {
      for (const place of placesOf(permission, project)) {
        if (!counts(permission, place) || caller.access.allows(permission, place)) continue
        throw forbidden(`${what} takes the permission ${permission}${toWords(place)}`)
      }
    }
  }
}

/** Where a permission is of use: one of the organization there alone, one of projects also in each of them. */
function placesOf(permission: Permission, project: string | undefined): readonly (string | undefined)[] {
  if (project !== undefined) return [project]
  return permission.startsWith('organization:') ? [undefined] : [undefined, EVERY_PROJECT]
}

function toWords(place: string | undefined): string {
  if (place === undefined) return ''
  return place === EVERY_PROJECT ? ' in every project' : ` in project ${place}`
}
