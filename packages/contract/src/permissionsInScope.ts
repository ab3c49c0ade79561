import { type Permission, permissions } from './permission.ts'

/** Asks for everything that the person may do. It is what those mean who name no permission. */
export const FULL_ACCESS_SCOPE = 'everything'

/** What can be asked for of the management API. */
export const apiScopes = [FULL_ACCESS_SCOPE, ...permissions] as const

/** What a token of this scope may be good for at most; anything when it names no permission. */
export function permissionsInScope(scope = ''): ReadonlySet<Permission> | undefined {
  const asked = scope.split(' ')
  const named = permissions.filter((permission) => asked.includes(permission))
  return asked.includes(FULL_ACCESS_SCOPE) || named.length === 0 ? undefined : new Set(named)
}
