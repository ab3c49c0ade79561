import { type ErrorType, errorTypes, type Permission } from '@burgee/contract'
import type { ManagementError } from '@burgee/contract/schemas'
import { formatValue } from '@burgee/kit/text'
import { HttpError, reasonPhrase } from '../../lib/errors.ts'

type Cause = Pick<ManagementError, 'errorType' | 'missingPermission' | 'current' | 'since'>

/** A change of a resource since the revision that a request required. */
export type ConflictingRevision = NonNullable<ManagementError['since']>[number]

/** An error of the management API whose cause programs can check. */
export class ManagementHttpError extends HttpError {
  /** The members of the response that name the cause. */
  readonly members: Cause

  constructor(status: number, message: string, members: Cause, headers: HttpError['headers'] = {}) {
    super(status, message, { headers })
    this.members = members
  }
}

/** Returns an error as the management API reports it. */
export function toManagementError(error: HttpError): ManagementError {
  const { status, message, issues, places } = error
  return {
    statusCode: status,
    message: status === 400 ? [...issues] : message,
    error: reasonPhrase(status),
    ...(places.length > 0 ? { issues: places.map((place) => ({ ...place, path: [...place.path] })) } : {}),
    ...(error instanceof ManagementHttpError ? error.members : {})
  }
}

/** The request is refused for one of the documented causes, which determines the status. */
export function refused(errorType: ErrorType, message: string): ManagementHttpError {
  return new ManagementHttpError(errorTypes[errorType].status, message, { errorType })
}

/** The revision of the resource does not match the one that the request requires. */
export function revisionConflict(
  required: readonly string[],
  { current, since }: { readonly current: string; readonly since?: ConflictingRevision[] },
  headers: HttpError['headers']
): ManagementHttpError {
  const errorType = 'ERR_REVISION'
  const described = since?.map(({ date, idp_user, types }) => `${types.join(', ')} by ${idp_user} at ${date}`) ?? []
  const changes = described.length > 0 ? `: ${described.join('; ')}` : ''
  const wanted = formatValue(required.join(', '))
  const message = `the resource has changed since revision ${wanted}; its revision is "${current}"${changes}. Read it again, and repeat the change with its new ETag`
  const members = { errorType, current, ...(since ? { since } : {}) } as const
  return new ManagementHttpError(errorTypes[errorType].status, message, members, headers)
}

/** The caller, or the scope of the token, lacks a permission. */
export function lacksPermission(missingPermission: Permission): ManagementHttpError {
  const message = `this operation requires the permission ${missingPermission}`
  return new ManagementHttpError(403, message, { missingPermission })
}
