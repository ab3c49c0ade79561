import { type Permission, permissions } from '../access/permission.ts'
import { type ErrorType, isErrorType } from '../errorType.ts'
import type { RequestIssue } from '../schema/common/managementError.ts'

/** An error response: any status other than the success status of the operation. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The id of the operation, or `token` for a request to `/oauth/token`. */
  readonly operation: string
  readonly status: number
  /** The response body: parsed if it is JSON, else the text. */
  readonly body: unknown
  /** The message in the body; absent if it is not the error body of a Burgee server. */
  readonly detail: string | undefined
  /** The cause as a code that programs can check, if the response has one (see `errorTypes`). */
  readonly errorType: ErrorType | undefined
  /** The permission that the caller lacks, if the response names it. */
  readonly missingPermission: Permission | undefined
  /** The problems of single members of the request, for a 400 that names them. */
  readonly issues: readonly RequestIssue[]
  /** The current revision, if it does not match `If-Match` (`ERR_REVISION`). */
  readonly current: string | undefined
  /** Seconds to wait before a retry, if the response has a `Retry-After` header in seconds. */
  readonly retryAfter: number | undefined
  /** The id of the request in the logs of the server, if the response names it. */
  readonly requestId: string | undefined

  constructor(operation: string, status: number, body: unknown, headers?: Headers) {
    super(`${operation} answered ${status}: ${toText(body)}`)
    this.operation = operation
    this.status = status
    this.body = body
    const { errorType, missingPermission, issues, current, ...rest }: Readonly<Record<string, unknown>> = isObject(body)
      ? body
      : {}
    this.detail = findDetail(rest)
    this.errorType = isErrorType(errorType) ? errorType : undefined
    this.missingPermission = permissions.find((permission) => permission === missingPermission)
    this.issues = Array.isArray(issues) ? issues.filter(isIssue) : []
    this.current = typeof current === 'string' ? current : undefined
    const seconds = headers?.get('retry-after') ?? ''
    this.retryAfter = /^\d+$/.test(seconds) ? Number(seconds) : undefined
    this.requestId = headers?.get('x-request-id') ?? undefined
  }
}

/** Returns a text as it is, and any other value as JSON. A hostile server can nest values deeper than the stack is. */
function toText(value: unknown): string {
  try {
    return typeof value === 'string' ? value : JSON.stringify(value)
  } catch {
    return 'a value that is nested too deep'
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isIssue(value: unknown): value is RequestIssue {
  return isObject(value) && typeof value.message === 'string' && Array.isArray(value.path)
}

/** Returns the message of an error body: of this API, OFREP or OAuth, whose `error` is a code. */
function findDetail(body: Readonly<Record<string, unknown>>): string | undefined {
  const { message, errorDetails, error_description, error } = body
  const detail = [message, errorDetails, error_description, error].find((text) => text !== undefined)
  // A part of a hostile body can be an object that has no text.
  if (Array.isArray(detail)) return detail.map(toText).join('; ')
  return typeof detail === 'string' ? detail : undefined
}
