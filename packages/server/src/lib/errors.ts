import type { ErrorType } from '@burgee/contract'
import { toRetrySeconds } from '@burgee/kit'

/** The kind of an error. Each API translates it into its own code. */
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

interface ApiErrorOptions {
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>>
  /** The single issues of a request; the message joins them. */
  readonly issues?: readonly string[]
  /** The machine-readable cause; part of error responses of the management API. */
  readonly errorType?: ErrorType
  /**
   * The `error` of a response of an OAuth endpoint (RFC 6749 §5.2, RFC 7591 §3.2.2); derived from the status if
   * omitted.
   */
  readonly oauthError?: string
}

/** An error response. Its message is for the caller. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>
  readonly issues: readonly string[]
  readonly errorType: ErrorType | undefined
  readonly oauthError: string | undefined

  constructor(status: number, code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = options.headers ?? {}
    this.issues = options.issues ?? [message]
    this.errorType = options.errorType
    this.oauthError = options.oauthError
  }
}

/** The request is invalid. */
export function badRequest(message: string | readonly string[], code: ErrorCode = 'invalid_request'): ApiError {
  const issues = typeof message === 'string' ? [message] : message
  return new ApiError(400, code, issues.join('; '), { issues })
}

/** The caller is not authenticated. */
export function unauthorized(message: string): ApiError {
  return new ApiError(401, 'unauthorized', message)
}

/** The caller lacks a permission. */
export function forbidden(message: string, errorType?: ErrorType): ApiError {
  return new ApiError(403, 'forbidden', message, errorType === undefined ? {} : { errorType })
}

/** A resource does not exist. */
export function notFound(message: string, code: ErrorCode = 'not_found'): ApiError {
  return new ApiError(404, code, message)
}

/** Where a resource was searched, and the most similar key. */
interface ItemSearch {
  /** As in `project "shop"`. */
  readonly within?: string | undefined
  /** The nearest key that exists. */
  readonly nearest?: string | undefined
}

/** No resource of this kind has this key or id. Clients match on the beginning of the message. */
export function itemNotFound(kind: string, reference: string, { within, nearest }: ItemSearch = {}): ApiError {
  const location = within === undefined ? '' : ` in ${within}`
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  return notFound(`Item with key '${reference}' not found: there is no ${kind} "${reference}"${location}${hint}`)
}

/** The operation is not allowed in the current state. */
export function operationNotAllowed(message: string): ApiError {
  return new ApiError(405, 'method_not_allowed', message)
}

/** A path does not support the method. */
export function methodNotAllowed(path: string, allowed: readonly string[], method: string): ApiError {
  const allow = allowed.join(', ')
  return new ApiError(405, 'method_not_allowed', `${path} answers ${allow}, not ${method}`, { headers: { allow } })
}

/** The resource exists already, or its state conflicts with the request. */
export function conflict(message: string, errorType?: ErrorType): ApiError {
  return new ApiError(409, 'conflict', message, errorType === undefined ? {} : { errorType })
}

/** A precondition of the operation is not met. */
export function preconditionFailed(message: string): ApiError {
  return new ApiError(412, 'precondition_failed', message)
}

/** The server cannot handle the request now. */
export function unavailable(message: string, retryAfterSeconds: number): ApiError {
  return new ApiError(503, 'unavailable', message, { headers: { 'retry-after': String(retryAfterSeconds) } })
}

/** A limit is exceeded, and callers should wait. */
export function rateLimited(
  message: string,
  waitMs: number,
  headers: { readonly 'retry-after': string } = { 'retry-after': String(toRetrySeconds(waitMs)) }
): ApiError {
  return new ApiError(429, 'rate_limited', message, { headers: { ...headers } })
}

/** A setting is unusable. The message names the setting and what would be right. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}
