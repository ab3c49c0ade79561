import type { Permission } from '@burgee/contract'
import { usePermission } from '../../api/session.ts'
import { permissionWords } from './accessWords.ts'

/** Why the signed-in person cannot do what takes a permission; `undefined` if they have it. */
export function useMissingPermission(permission: Permission, project?: string): string | undefined {
  return usePermission(permission, project) ? undefined : missingPermission(permission)
}

/** The predicate of a sentence about what takes a permission, as in "needs the permission to delete features". */
export function missingPermission(permission: Permission): string {
  return `needs the permission to ${permissionWords[permission]}`
}
