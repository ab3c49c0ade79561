import type { Context } from 'koa'
import { ApiError } from '../../lib/errors.ts'

/** Runs `work` and converts its errors to OAuth error responses (RFC 6749 §5.2). Disables caching of all responses. */
export async function withOAuthErrors(ctx: Context, work: () => Promise<void>): Promise<void> {
  ctx.set('cache-control', 'no-store')
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    ctx.status = error.status
    ctx.set({ ...error.headers })
    ctx.body = toOAuthError(error)
  }
}

/** The body of an OAuth error response (RFC 6749 §5.2). */
export interface OAuthError {
  readonly error: string
  readonly error_description: string
}

/** Converts an error to an OAuth error response. */
export function toOAuthError({ status, message, oauthError }: ApiError): OAuthError {
  return { error: oauthError ?? codes[status] ?? 'invalid_request', error_description: message }
}

const codes: Readonly<Record<number, string>> = {
  401: 'invalid_token',
  403: 'insufficient_scope',
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable'
}
