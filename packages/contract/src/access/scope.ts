import { type Permission, permissions } from './permission.ts'

/** The OAuth scope for all permissions of the holder; also the meaning of a scope without permissions. */
export const FULL_ACCESS_SCOPE = 'everything'

/** The OAuth scopes of the management API: one per permission, and `everything`. */
export const apiScopes = [FULL_ACCESS_SCOPE, ...permissions] as const

/** Returns the permissions to which a scope limits a token, or `undefined` if it sets no limit. */
export function permissionsInScope(scope = ''): ReadonlySet<Permission> | undefined {
  const requested = scope.split(' ')
  const named = permissions.filter((permission) => requested.includes(permission))
  return requested.includes(FULL_ACCESS_SCOPE) || named.length === 0 ? undefined : new Set(named)
}
