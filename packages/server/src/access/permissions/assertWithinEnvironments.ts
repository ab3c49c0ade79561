import type { AuditLogChange } from '@burgee/contract/schemas'
import { forbidden } from '../../lib/errors.ts'
import type { TokenCaller } from './caller.ts'

/**
 * Asserts that a caller whose access is limited to environments changes only these. Changes without an environment
 * affect all. Change requests change nothing until they are applied.
 * @throws {HttpError} 403
 */
export function assertWithinEnvironments(
  { access }: Pick<TokenCaller, 'access'>,
  changes: readonly AuditLogChange[]
): void {
  const { environments } = access
  if (environments === undefined) return
  const isWithin = ({ type, _environments = [] }: AuditLogChange): boolean => {
    if (_environments.length > 0) return _environments.every((id) => environments.has(id))
    return type.endsWith('ChangeRequest')
  }
  if (changes.every(isWithin)) return
  throw forbidden('the token can change only certain environments, and the request changes others or the whole project')
}

/** Whether a caller's access includes an environment. */
export function isWithinEnvironments({ access }: Pick<TokenCaller, 'access'>, environment: string): boolean {
  return access.environments?.has(environment) ?? true
}

/** Asserts that a caller may see the recent users of environments. @throws {HttpError} 403 */
export function assertUsersVisible(caller: Pick<TokenCaller, 'access'>, environments: readonly string[]): void {
  if (environments.every((environment) => isWithinEnvironments(caller, environment))) return
  throw forbidden('the token is limited to certain environments: it cannot see the users of others')
}
