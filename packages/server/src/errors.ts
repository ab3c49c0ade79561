/** What went wrong, in one word; each surface translates it into its own. */
export type ErrorCode =
  | 'invalid_request'
  | 'malformed_body'
  | 'invalid_body'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'flag_not_found'
  | 'targeting_key_missing'
  | 'invalid_context'
  | 'evaluation_failed'
  | 'method_not_allowed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'unavailable'
  | 'internal'

/** A request that is refused. Its message is for the caller. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode
  /** Sent along with the refusal. */
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** Something in the request is not as it should be. */
export function invalid(message: string, code: ErrorCode = 'invalid_request'): ApiError {
  return new ApiError(400, code, message)
}

/** Who is asking is not known. */
export function unauthorized(message: string): ApiError {
  return new ApiError(401, 'unauthorized', message)
}

/** Who is asking may not do this. */
export function forbidden(message: string): ApiError {
  return new ApiError(403, 'forbidden', message)
}

/** There is no such thing. */
export function notFound(message: string, code: ErrorCode = 'not_found'): ApiError {
  return new ApiError(404, code, message)
}
