import { type Permission, type PermissionMode, permissions, type Role, rolesByPermission } from '@burgee/contract'

/** Where a role holds: in the organization, or in one of the two projects of the tests. */
export type Scope = 'organization' | 'shop' | 'other'

/** What somebody has: roles, each in one place. */
export interface RoleHolder {
  readonly mode: PermissionMode
  readonly grants: readonly { readonly role: Role; readonly place: Scope }[]
  /** What they may not, whatever their roles say. */
  readonly lacks?: Permission
}

/** What `management.md` §3 says of a holder, worked out beside the server from the one table of the contract. */
export function isAllowed({ mode, grants, lacks }: RoleHolder, permission: Permission, where: Scope): boolean {
  if (permission === lacks) return false
  if (mode === 'flat') return true
  return grants.some(({ role, place }) => {
    if (!allowed(mode, role).includes(permission)) return false
    if (mode === 'basic') return place === 'organization'
    if (place === 'organization') return true
    if (permission.startsWith('organization:')) return permission.startsWith('organization:read:')
    return place === where
  })
}

/** Whether there is any place where a holder may. */
export function isAllowedAnywhere(holder: RoleHolder, permission: Permission): boolean {
  return (['organization', 'shop', 'other'] as const).some((where) => isAllowed(holder, permission, where))
}

function allowed(mode: 'basic' | 'full', role: Role): readonly Permission[] {
  const inFull = permissions.filter((permission) => rolesByPermission[permission].includes(role))
  if (mode === 'full' || role === 'viewer' || role === 'member') return inFull
  // Nobody stands between those who publish and the owners.
  if (role === 'organization_owner') return permissions
  return permissions.filter((permission) => !['organization:write:settings', 'project:delete'].includes(permission))
}
