import { type Permission, permissions } from './permission.ts'

/** The parts people and clients can have, from the least to the most (`management.md` §3). */
export const roles = [
  'viewer',
  'member',
  'publisher',
  'project_admin',
  'organization_admin',
  'organization_owner'
] as const

/** One of them. */
export type Role = (typeof roles)[number]

/**
 * How an organization tells its people apart (`management.md` §3): `flat` lets everyone do everything, `basic` goes by
 * one role for all projects, `full` by roles in each project too.
 */
export const permissionModes = ['flat', 'basic', 'full'] as const

/** One of them. */
export type PermissionMode = (typeof permissionModes)[number]

/** The roles that have each permission where roles are told apart in full: the one table that everything else is read from. */
export const rolesByPermission: Readonly<Record<Permission, readonly Role[]>> = {
  'organization:read:settings': between('viewer', 'organization_owner'),
  'organization:read:members': between('viewer', 'organization_owner'),
  'organization:write:settings': between('organization_admin', 'organization_owner'),
  'project:read': between('viewer', 'organization_admin'),
  'project:write': ['organization_admin'],
  'project:delete': ['organization_admin'],
  'project:write:settings': between('project_admin', 'organization_admin'),
  'project:read:overrides': between('viewer', 'organization_admin'),
  'environment:read': between('viewer', 'organization_admin'),
  'environment:write': between('member', 'organization_admin'),
  'environment:delete': between('project_admin', 'organization_admin'),
  'feature:read': between('viewer', 'organization_admin'),
  'feature:write': between('member', 'organization_admin'),
  'feature:publish': between('publisher', 'organization_admin'),
  'feature:delete': between('project_admin', 'organization_admin'),
  'variation:read': between('viewer', 'organization_admin'),
  'variation:write': between('member', 'organization_admin'),
  'variable:read': between('viewer', 'organization_admin'),
  'variable:write': between('member', 'organization_admin'),
  'audience:read': between('viewer', 'organization_admin'),
  'audience:write': between('member', 'organization_admin'),
  'audience:delete': between('project_admin', 'organization_admin')
}

/** What a role allows in a mode. */
export function permissionsOfRole(role: Role, mode: PermissionMode): ReadonlySet<Permission> {
  return allowed[mode][role]
}

/** What publishers may not do where there are no roles between them and the owners. */
const ownersOnly: readonly Permission[] = ['organization:write:settings', 'project:delete']

const allowed: Readonly<Record<PermissionMode, Readonly<Record<Role, ReadonlySet<Permission>>>>> = {
  flat: tableOf(() => true),
  basic: tableOf((role, permission) => {
    if (role === 'organization_owner') return true
    if (role === 'viewer' || role === 'member') return rolesByPermission[permission].includes(role)
    return !ownersOnly.includes(permission)
  }),
  full: tableOf((role, permission) => rolesByPermission[permission].includes(role))
}

function tableOf(
  allows: (role: Role, permission: Permission) => boolean
): Readonly<Record<Role, ReadonlySet<Permission>>> {
  const rows = roles.map((role) => [role, new Set(permissions.filter((permission) => allows(role, permission)))])
  // One row for each role.
  return Object.fromEntries(rows) as Record<Role, ReadonlySet<Permission>>
}

function between(first: Role, last: Role): readonly Role[] {
  return roles.slice(roles.indexOf(first), roles.indexOf(last) + 1)
}
