import { forbidden } from '../../lib/errors.ts'
import type { TokenCaller } from './caller.ts'

/**
 * Asserts that a caller is an owner of the organization, or is not limited by roles.
 * @throws {HttpError} 403
 */
export function assertOwner({ access }: Pick<TokenCaller, 'access'>): void {
  if (!access.isOwner) throw forbidden('this operation requires the role organization_owner')
}
