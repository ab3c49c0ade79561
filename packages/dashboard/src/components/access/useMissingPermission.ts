import type { Permission } from '@burgee/contract'
import { usePermission } from '../../api/session.ts'
import { missingPermission } from './permissionWords.ts'

/** Why the signed-in person cannot do what takes a permission; `undefined` if they have it. */
export function useMissingPermission(permission: Permission, project?: string): string | undefined {
  return usePermission(permission, project) ? undefined : missingPermission(permission)
}
