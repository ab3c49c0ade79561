import type { Permission } from '@burgee/contract'
import { permissionWords } from '@burgee/contract/access'

/** The predicate of a sentence about what takes a permission, for example "needs the permission to delete features". */
export function missingPermission(permission: Permission): string {
  return `needs the permission to ${permissionWords[permission]}`
}
