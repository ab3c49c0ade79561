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
  | 'conflict'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'unavailable'
  | 'internal'

/** What a refusal carries besides its message. */
interface ApiErrorOptions {
  /** Sent along with the refusal. */
  readonly headers?: Readonly<Record<string, string>>
  /** The mistakes of a request, one by one; the message has them all. */
  readonly issues?: readonly string[]
  /** What stood in the way, for a program to read. */
  readonly errorType?: string
}

/** A request that is refused. Its message is for the caller. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>
  readonly issues: readonly string[]
  readonly errorType: string | undefined

  constructor(status: number, code: ErrorCode, message: string, refusal: ApiErrorOptions = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = refusal.headers ?? {}
    this.issues = refusal.issues ?? [message]
    this.errorType = refusal.errorType
  }
}

/** Something in the request is not as it should be. */
export function badRequest(message: string | readonly string[], code: ErrorCode = 'invalid_request'): ApiError {
  const mistakes = typeof message === 'string' ? [message] : message
  return new ApiError(400, code, mistakes.join('; '), { issues: mistakes })
}

/** Who is asking is not known. */
export function unauthorized(message: string): ApiError {
  return new ApiError(401, 'unauthorized', message)
}

/** Who is asking may not do this. */
export function forbidden(message: string, errorType?: string): ApiError {
  return new ApiError(403, 'forbidden', message, errorType === undefined ? {} : { errorType })
}

/** There is no such thing. */
export function notFound(message: string, code: ErrorCode = 'not_found'): ApiError {
  return new ApiError(404, code, message)
}

/** There is no resource of this key or id; `within` says where it was looked for. */
export function itemNotFound(reference: string, within?: string): ApiError {
  return notFound(`Item with key '${reference}' not found${within ? ` in ${within}` : ''}`)
}

/** This cannot be done in the present state. */
export function operationNotAllowed(message: string): ApiError {
  return new ApiError(405, 'method_not_allowed', message)
}

/** An address answers other methods than this one. */
export function methodNotAllowed(path: string, allowed: readonly string[], method: string): ApiError {
  const allow = allowed.join(', ')
  return new ApiError(405, 'method_not_allowed', `${path} answers ${allow}, not ${method}`, { headers: { allow } })
}

/** There is something of this name already, or something else is in the way. */
export function conflict(message: string, errorType?: string): ApiError {
  return new ApiError(409, 'conflict', message, errorType === undefined ? {} : { errorType })
}

/** What this rests on does not hold. */
export function preconditionFailed(message: string): ApiError {
  return new ApiError(412, 'precondition_failed', message)
}

/** A setting is unusable. The message names the setting and what would be right. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}
