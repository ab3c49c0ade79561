import type { Permission } from '../access/permission.ts'
import { IfMatchHeaders } from '../schema/common/ifMatch.ts'
import { ManagementError } from '../schema/common/managementError.ts'

interface Access {
  readonly credential: { readonly type: 'token'; readonly permission: Permission }
  readonly errors: Readonly<Record<number, typeof ManagementError>>
}

interface AccessWithBody extends Access {
  readonly readsBody: true
}

/** Credential and errors of an operation of people about themselves, which needs no permission. */
export function selfAccess(...statuses: readonly number[]): SelfAccess {
  const { errors } = accessWithoutBody('project:read', ...statuses)
  return { credential: { type: 'token' }, errors }
}

interface SelfAccess extends Pick<Access, 'errors'> {
  readonly credential: { readonly type: 'token' }
}

/**
 * Credential and errors of an operation without a request body. `statuses` are its errors besides those of every
 * operation: tokens are read from the store, so each operation can return 503.
 */
export function accessWithoutBody(permission: Permission, ...statuses: readonly number[]): Access {
  const errors = [...statuses, 400, 401, 403, 429, 500, 503].map((status) => [status, ManagementError] as const)
  return { credential: { type: 'token', permission }, errors: Object.fromEntries(errors) }
}

/** Credential and errors of an operation with a request body. */
export function accessWithBody(permission: Permission, ...statuses: readonly number[]): AccessWithBody {
  return { ...accessWithoutBody(permission, ...statuses, 413, 415), readsBody: true }
}

/** The response has the revision of the resource, which later changes can require. */
export const withRevision = { hasRevision: true } as const

/** The operation can require the revision that the client read. */
export const ifMatch = { headers: IfMatchHeaders } as const

/** The operation can require a revision, and its response has the new one. */
export const newRevision = { ...ifMatch, ...withRevision } as const
