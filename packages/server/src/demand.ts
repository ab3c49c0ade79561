import type { Permission } from '@burgee/contract'
import type { TokenCaller } from './caller.ts'
import { forbidden } from './errors.ts'

/** Demands a permission that not every use of an operation takes. @throws {ApiError} 403 when the caller lacks it. */
export function demand({ permissions }: Pick<TokenCaller, 'permissions'>, permission: Permission): void {
  if (!permissions.has(permission)) throw forbidden(`this takes the permission ${permission}`)
}
