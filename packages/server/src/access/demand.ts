import type { Permission } from '@burgee/contract'
import type { TokenCaller } from '../caller.ts'
import { forbidden } from '../errors.ts'

/**
 * Demands a permission in a project, or in the organization itself when none is named.
 * @throws {ApiError} 403 when the caller lacks it; the message names it.
 */
export function demand({ access }: Pick<TokenCaller, 'access'>, permission: Permission, project?: string): void {
  if (!access.allows(permission, project)) throw lacking(permission)
}

/** Demands a permission in some place: which one, the rest of the request says. @throws {ApiError} 403 */
export function demandSomewhere({ access }: Pick<TokenCaller, 'access'>, permission: Permission): void {
  if (!access.allowsSomewhere(permission)) throw lacking(permission)
}

function lacking(permission: Permission) {
  return forbidden(`this takes the permission ${permission}`)
}
