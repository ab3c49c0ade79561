import { type Permission, type PermissionMode, permissions, type Role, rolesByPermission } from '@burgee/contract'

/** The scope of a role: the organization, or one of the two projects of the tests. */
export type Scope = 'organization' | 'shop' | 'other'

/** The rights of a caller: roles, each in one scope. */
export interface RoleHolder {
  readonly mode: PermissionMode
  readonly grants: readonly { readonly role: Role; readonly place: Scope }[]
  /** Permissions that are excluded, regardless of roles. */
  readonly lacks?: Permission
}

/** Computes the rules of `management.md` §3 independently of the server, from the table of the contract. */
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

/** Whether a holder has a permission in any scope. */
export function isAllowedAnywhere(holder: RoleHolder, permission: Permission): boolean {
  return (['organization', 'shop', 'other'] as const).some((where) => isAllowed(holder, permission, where))
}

function allowed(mode: 'basic' | 'full', role: Role): readonly Permission[] {
  const inFull = permissions.filter((permission) => rolesByPermission[permission].includes(role))
  if (mode === 'full' || role === 'viewer' || role === 'member') return inFull
  // No role is between publishers and owners.
  if (role === 'organization_owner') return permissions
  return permissions.filter((permission) => !['organization:write:settings', 'project:delete'].includes(permission))
}

/** Whether a holder is an owner, or is not limited by roles. */
export function isOwner({ mode, grants }: RoleHolder): boolean {
  return mode === 'flat' || grants.some(({ role }) => role === 'organization_owner')
}
