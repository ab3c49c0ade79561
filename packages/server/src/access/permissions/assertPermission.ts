import type { Permission } from '@burgee/contract'
import type { TokenCaller } from './caller.ts'
import { lacksPermission } from './managementError.ts'

/**
 * Asserts a permission in a project, or in the organization itself if no project is given.
 * @throws {HttpError} 403 that names the missing permission.
 */
export function assertPermission(
  { access }: Pick<TokenCaller, 'access'>,
  permission: Permission,
  project?: string
): void {
  if (!access.allows(permission, project)) throw lacksPermission(permission)
}

/**
 * Asserts a permission in the organization or in any project. The project itself is checked once the request has been
 * resolved.
 * @throws {HttpError} 403
 */
export function assertPermissionAnywhere({ access }: Pick<TokenCaller, 'access'>, permission: Permission): void {
  if (!access.allowsAnywhere(permission)) throw lacksPermission(permission)
}
