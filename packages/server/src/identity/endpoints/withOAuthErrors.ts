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
    ctx.body = { error: error.oauthError ?? codes[error.status] ?? 'invalid_request', error_description: error.message }
  }
}

const codes: Readonly<Record<number, string>> = {
  401: 'invalid_token',
  403: 'insufficient_scope',
  429: 'temporarily_unavailable',
  503: 'temporarily_unavailable'
}
