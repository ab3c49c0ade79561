import type { Context } from 'koa'
import { ApiError } from '../../lib/errors.ts'

/** Does `work`; if it refuses, that is told in OAuth's terms (RFC 6749 §5.2). Answers that hold tokens are nothing to keep, and refusals neither. */
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

/** An error as OAuth clients read it. */
export function toOAuthError({ status, message, errorType }: ApiError): OAuthError {
  return { error: errorType ?? codes[status] ?? 'invalid_request', error_description: message }
}

const codes: Readonly<Record<number, string>> = {
  401: 'invalid_token',
  403: 'insufficient_scope',
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable'
}
