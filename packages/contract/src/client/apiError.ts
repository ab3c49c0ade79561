import { type ErrorType, isErrorType } from '../errorType.ts'

/** An error response: any status other than the success status of the operation. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The id of the operation, or `token` for a request to `/oauth/token`. */
  readonly operation: string
  readonly status: number
  /** The response body: parsed if it is JSON, else the text. */
  readonly body: unknown
  /** The cause as a code that programs can check, if the response has one (see `errorTypes`). */
  readonly errorType: ErrorType | undefined
  /** Seconds to wait before a retry, if the response has a `Retry-After` header in seconds. */
  readonly retryAfter: number | undefined

  constructor(operation: string, status: number, body: unknown, headers?: Headers) {
    super(`${operation} answered ${status}: ${typeof body === 'string' ? body : JSON.stringify(body)}`)
    this.operation = operation
    this.status = status
    this.body = body
    const errorType = typeof body === 'object' && body !== null && 'errorType' in body ? body.errorType : undefined
    this.errorType = isErrorType(errorType) ? errorType : undefined
    const seconds = headers?.get('retry-after') ?? ''
    this.retryAfter = /^\d+$/.test(seconds) ? Number(seconds) : undefined
  }
}
