import type { TokenCredential } from '../operation.ts'
import type { Permission } from '../permission.ts'
import { ManagementError } from '../schema/managementError.ts'

interface Allowing {
  readonly credential: TokenCredential
  readonly errors: Readonly<Record<number, typeof ManagementError>>
}

/** For an operation that reads: the permission it takes, and the refusals it knows besides those that all have. */
export function allowing(permission: Permission, ...statuses: readonly number[]): Allowing {
  const errors = [...statuses, 400, 401, 403, 500].map((status) => [status, ManagementError] as const)
  return { credential: { type: 'token', permission }, errors: Object.fromEntries(errors) }
}

/** For an operation that changes something by its mere call: as `allowing`, and the store can refuse it too. */
export function allowingCommand(permission: Permission, ...statuses: readonly number[]): Allowing {
  return allowing(permission, ...statuses, 503)
}

/** For an operation that changes something as its body says: as `allowingCommand`, and the body can be refused too. */
export function allowingChange(permission: Permission, ...statuses: readonly number[]): Allowing {
  return allowingCommand(permission, ...statuses, 413, 415)
}
