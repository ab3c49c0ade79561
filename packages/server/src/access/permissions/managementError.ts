import { type ErrorType, errorTypes, type Permission } from '@burgee/contract'
import type { ManagementError } from '@burgee/contract/schemas'
import { HttpError } from '../../lib/errors.ts'

type Cause = Pick<ManagementError, 'errorType' | 'missingPermission'>

/** An error of the management API whose cause programs can check. */
export class ManagementHttpError extends HttpError {
  /** The members of the response that name the cause. */
  readonly members: Cause

  constructor(status: number, message: string, members: Cause) {
    super(status, message)
    this.members = members
  }
}

/** The request is refused for one of the documented causes, which determines the status. */
export function refused(errorType: ErrorType, message: string): ManagementHttpError {
  return new ManagementHttpError(errorTypes[errorType].status, message, { errorType })
}

/** The caller, or the scope of the token, lacks a permission. */
export function lacksPermission(missingPermission: Permission): ManagementHttpError {
  const message = `this operation requires the permission ${missingPermission}`
  return new ManagementHttpError(403, message, { missingPermission })
}
