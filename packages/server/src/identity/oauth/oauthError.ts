import { RestrictionError } from '../../access/restrictions/restrictionError.ts'
import { HttpError } from '../../lib/errors.ts'

/** The body of an OAuth error response (RFC 6749 §5.2). */
export interface OAuthError {
  readonly error: string
  readonly error_description: string
}

/** An error of an OAuth endpoint with a specific `error` code, as RFC 6749 §5.2 and RFC 7591 §3.2.2 define it. */
export class OAuthHttpError extends HttpError {
  readonly error: string

  constructor(status: number, error: string, message: string) {
    super(status, message)
    this.error = error
  }
}

/** Converts an error to the body of an OAuth error response. */
export function toOAuthError(error: HttpError): OAuthError {
  const isNetwork = error instanceof RestrictionError && error.restriction === 'network'
  const code = error instanceof OAuthHttpError ? error.error : isNetwork ? 'access_denied' : codes[error.status]
  return { error: code ?? 'invalid_request', error_description: error.message }
}

const codes: Readonly<Record<number, string>> = {
  401: 'invalid_token',
  403: 'insufficient_scope',
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable'
}
