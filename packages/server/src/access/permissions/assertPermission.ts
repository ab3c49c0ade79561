import type { Permission } from '@burgee/contract'
import { forbidden } from '../../lib/errors.ts'
import type { TokenCaller } from './caller.ts'

/**
 * Demands a permission in a project, or in the organization itself when none is named.
 * @throws {ApiError} 403 when the caller lacks it; the message names it.
 */
export function assertPermission(
  { access }: Pick<TokenCaller, 'access'>,
  permission: Permission,
  project?: string
): void {
  if (!access.allows(permission, project)) throw missingPermission(permission)
}

/** Demands a permission in some place: which one, the rest of the request says. @throws {ApiError} 403 */
export function assertPermissionAnywhere({ access }: Pick<TokenCaller, 'access'>, permission: Permission): void {
  if (!access.allowsAnywhere(permission)) throw missingPermission(permission)
}

function missingPermission(permission: Permission) {
  return forbidden(`this takes the permission ${permission}`)
}
