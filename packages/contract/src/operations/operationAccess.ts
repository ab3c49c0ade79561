import type { TokenCredential } from '../operation.ts'
import type { Permission } from '../permission.ts'
import { ManagementError } from '../schema/managementError.ts'

interface OperationAccess {
  readonly credential: TokenCredential
  readonly errors: Readonly<Record<number, typeof ManagementError>>
}

/** For an operation that reads: the permission it takes, and the refusals it knows besides those that all have. */
export function readAccess(permission: Permission, ...statuses: readonly number[]): OperationAccess {
  const errors = [...statuses, 400, 401, 403, 500].map((status) => [status, ManagementError] as const)
  return { credential: { type: 'token', permission }, errors: Object.fromEntries(errors) }
}

/** For an operation that changes something by its mere call: as `allowing`, and the store can refuse it too. */
export function commandAccess(permission: Permission, ...statuses: readonly number[]): OperationAccess {
  return readAccess(permission, ...statuses, 503)
}

/** For an operation that changes something as its body says: as `allowingCommand`, and the body can be refused too. */
export function writeAccess(permission: Permission, ...statuses: readonly number[]): OperationAccess {
  return commandAccess(permission, ...statuses, 413, 415)
}
