import { type Permission, permissions } from './permission.ts'

/** The roles of users and API clients, from the least to the most powerful (docs/guides/access-control.md#roles). */
export const roles = [
  'viewer',
  'member',
  'publisher',
  'project_admin',
  'organization_admin',
  'organization_owner'
] as const

/** A role of a user or an API client. */
export type Role = (typeof roles)[number]

/**
 * How an organization grants permissions: `flat` grants all to everyone, `basic` by one role for all projects, `full`
 * also by roles per project (docs/reference/management.md#permissions).
 */
export const permissionModes = ['flat', 'basic', 'full'] as const

/** How an organization grants permissions. */
export type PermissionMode = (typeof permissionModes)[number]

/** The roles that grant each permission in the mode `full`. The other modes are derived from this table. */
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

/** Returns the permissions that a role grants in a mode. */
export function permissionsOfRole(role: Role, mode: PermissionMode): ReadonlySet<Permission> {
  return allowed[mode][role]
}

/** The permissions that `basic` denies to publishers and admins, whose roles it does not distinguish. */
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
