import type { ErrorType } from '@burgee/contract'

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
  /** The cause, for programs; part of refusals of the management API. */
  readonly errorType?: ErrorType
  /** The `error` of a refusal by an OAuth endpoint (RFC 6749 §5.2, RFC 7591 §3.2.2); derived from the status if omitted. */
  readonly oauthError?: string
}

/** A request that is refused. Its message is for the caller. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>
  readonly issues: readonly string[]
  readonly errorType: ErrorType | undefined
  readonly oauthError: string | undefined

  constructor(status: number, code: ErrorCode, message: string, refusal: ApiErrorOptions = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = refusal.headers ?? {}
    this.issues = refusal.issues ?? [message]
    this.errorType = refusal.errorType
    this.oauthError = refusal.oauthError
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
export function forbidden(message: string, errorType?: ErrorType): ApiError {
  return new ApiError(403, 'forbidden', message, errorType === undefined ? {} : { errorType })
}

/** There is no such thing. */
export function notFound(message: string, code: ErrorCode = 'not_found'): ApiError {
  return new ApiError(404, code, message)
}

/** Where a resource was looked for, and which one may have been meant. */
interface ItemSearch {
  /** As in `project "shop"`. */
  readonly within?: string | undefined
  /** The nearest key that exists. */
  readonly nearest?: string | undefined
}

/** A resource of this kind does not exist. The message begins as clients expect it, which match on that. */
export function itemNotFound(kind: string, reference: string, { within, nearest }: ItemSearch = {}): ApiError {
  const place = within === undefined ? '' : ` in ${within}`
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  return notFound(`Item with key '${reference}' not found: there is no ${kind} "${reference}"${place}${hint}`)
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
export function conflict(message: string, errorType?: ErrorType): ApiError {
  return new ApiError(409, 'conflict', message, errorType === undefined ? {} : { errorType })
}

/** A precondition of the operation is not met. */
export function preconditionFailed(message: string): ApiError {
  return new ApiError(412, 'precondition_failed', message)
}
