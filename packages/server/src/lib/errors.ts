import { STATUS_CODES } from 'node:http'
import { toRetrySeconds } from '@burgee/kit'

/** A problem of one member of a request. */
export interface RequestIssue {
  readonly in: 'path' | 'query' | 'headers' | 'body'
  readonly path: readonly (string | number)[]
  readonly message: string
}

interface HttpErrorOptions {
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>>
  /** The single issues of a request; the message joins them. */
  readonly issues?: readonly string[]
  /** The issues whose members are known. */
  readonly places?: readonly RequestIssue[]
}

/** An error response. Its message is for the caller. APIs with codes of their own extend it. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly issues: readonly string[]
  readonly places: readonly RequestIssue[]

  constructor(
    status: number,
    message: string,
    { headers = {}, issues = [message], places = [] }: HttpErrorOptions = {}
  ) {
    super(message)
    this.status = status
    this.headers = headers
    this.issues = issues
    this.places = places
  }
}

/** Returns the name of a status, for example `Not Found`. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? 'Error'
}

/** The request is invalid. */
export function badRequest(message: string | readonly string[], places: readonly RequestIssue[] = []): HttpError {
  const issues = typeof message === 'string' ? [message] : message
  return new HttpError(400, issues.join('; '), { issues, places })
}

/** The caller is not authenticated. */
export function unauthorized(message: string): HttpError {
  return new HttpError(401, message)
}

/** The caller lacks a permission. */
export function forbidden(message: string): HttpError {
  return new HttpError(403, message)
}

/** A resource does not exist. */
export function notFound(message: string): HttpError {
  return new HttpError(404, message)
}

/** Where a resource was searched, and the most similar key. */
interface ItemSearch {
  /** As in `project "shop"`. */
  readonly within?: string | undefined
  /** The nearest key that exists. */
  readonly nearest?: string | undefined
}

/** No resource of this kind has this key or id. Clients match on the beginning of the message. */
export function itemNotFound(kind: string, reference: string, { within, nearest }: ItemSearch = {}): HttpError {
  const location = within === undefined ? '' : ` in ${within}`
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  return notFound(`Item with key '${reference}' not found: there is no ${kind} "${reference}"${location}${hint}`)
}

/** The operation is not allowed in the current state. */
export function operationNotAllowed(message: string): HttpError {
  return new HttpError(405, message)
}

/** A path does not support the method. */
export function methodNotAllowed(path: string, allowed: readonly string[], method: string): HttpError {
  const allow = allowed.join(', ')
  return new HttpError(405, `${path} supports ${allow}, not ${method}`, { headers: { allow } })
}

/** The resource exists already, or its state conflicts with the request. */
export function conflict(message: string): HttpError {
  return new HttpError(409, message)
}

/** A precondition of the operation is not met. */
export function preconditionFailed(message: string): HttpError {
  return new HttpError(412, message)
}

/** The server cannot handle the request now. */
export function unavailable(message: string, retryAfterSeconds: number): HttpError {
  return new HttpError(503, message, { headers: { 'retry-after': String(retryAfterSeconds) } })
}

/** A limit is exceeded, and callers should wait. */
export function rateLimited(message: string, waitMs: number): HttpError {
  return new HttpError(429, message, { headers: { 'retry-after': String(toRetrySeconds(waitMs)) } })
}

/** A setting is unusable. The message names the setting and what would be right. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}
