import type { Permission } from '@burgee/contract'
import { forbidden } from '../../lib/errors.ts'
import type { TokenCaller } from './caller.ts'

/**
 * Asserts a permission in a project, or in the organization itself if no project is given.
 * @throws {ApiError} 403 that names the missing permission.
 */
export function assertPermission(
  { access }: Pick<TokenCaller, 'access'>,
  permission: Permission,
  project?: string
): void {
  if (!access.allows(permission, project)) throw missingPermission(permission)
}

/**
 * Asserts a permission in the organization or in any project. The project itself is checked once the request has been
 * resolved.
 * @throws {ApiError} 403
 */
export function assertPermissionAnywhere({ access }: Pick<TokenCaller, 'access'>, permission: Permission): void {
  if (!access.allowsAnywhere(permission)) throw missingPermission(permission)
}

function missingPermission(permission: Permission) {
  return forbidden(`this operation requires the permission ${permission}`)
}
