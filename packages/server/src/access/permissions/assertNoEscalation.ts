import { type Permission, permissions, rolesByPermission } from '@burgee/contract'
import { forbidden } from '../../lib/errors.ts'
import type { StoredGrant } from '../../storage/resources/organization.ts'
import { type Access, ALL_PROJECTS } from './access.ts'
import { assertOwner } from './assertOwner.ts'
import type { TokenCaller } from './caller.ts'

type Caller = Pick<TokenCaller, 'access'>

/**
 * Asserts that a caller has every permission of the roles to be granted or removed, and is an owner if the role of
 * owners is among them. Applies in mode `full`.
 * @throws {HttpError} 403
 */
export function assertGrantable(caller: Caller, grants: readonly StoredGrant[]): void {
  for (const { role, _project } of grants) {
    const isGranted = (permission: Permission) => rolesByPermission[permission].includes(role)
    assertCovers(caller, [_project], isGranted, `granting ${role}`)
    if (role === 'organization_owner') assertOwner(caller, `granting ${role}`, 'grant')
  }
}

/**
 * Asserts that a caller has all permissions everywhere and the rights of an owner. `action` names the action in the
 * message.
 * @throws {HttpError} 403
 */
export function assertFullAccess(caller: Caller, action: string): void {
  assertCovers(caller, [undefined], () => true, action)
  assertOwner(caller, action, 'everything')
}

/** Whether a caller has all permissions everywhere and the rights of an owner. */
export function hasFullAccess({ access }: Caller): boolean {
  const hasAll = permissions.every((permission) =>
    scopesOf(permission, undefined).every((scope) => access.allows(permission, scope))
  )
  return hasAll && access.isOwner
}

/**
 * Asserts that another account has no permission that the caller lacks, in the organization, in all projects, or in the
 * projects in which it has a role, and that only owners manage owners. `action` names the action in the message.
 * @throws {HttpError} 403
 */
export function assertNoEscalation(
  caller: Caller,
  other: Access,
  grants: readonly StoredGrant[],
  action: string
): void {
  const projects = new Set([undefined, ...grants.map(({ _project }) => _project)])
  assertCovers(caller, projects, other.allows, action)
  if (other.isOwner) assertOwner(caller, action, 'account')
}

/** Asserts all permissions that apply to these projects, or to the organization and therefore to all projects. */
function assertCovers(
  caller: Caller,
  projects: Iterable<string | undefined>,
  isRequired: (permission: Permission, project?: string) => boolean,
  action: string
): void {
  for (const project of projects) {
    for (const permission of permissions) {
      for (const scope of scopesOf(permission, project)) {
        if (!isRequired(permission, scope) || caller.access.allows(permission, scope)) continue
        throw forbidden(`${action} requires the permission ${permission}${formatScope(scope)}`)
      }
    }
  }
}

/**
 * The scopes in which a permission applies; `undefined` is the organization. Project permissions also apply in each
 * project.
 */
function scopesOf(permission: Permission, project: string | undefined): readonly (string | undefined)[] {
  if (project !== undefined) return [project]
  return permission.startsWith('organization:') ? [undefined] : [undefined, ALL_PROJECTS]
}

function formatScope(scope: string | undefined): string {
  if (scope === undefined) return ''
  return scope === ALL_PROJECTS ? ' in every project' : ` in project ${scope}`
}
