import { retryAfterHeaders } from '@burgee/kit'
import type { Middleware } from 'koa'
import { HOUR } from '../../../lib/time.ts'

/**
 * Adds `Retry-Later`, which clients of OFREP drafts read, to every response with `Retry-After`, and both to every
 * response that refuses a request at a limit. A body that is too large is refused each time, so its wait is long:
 * clients that repeat requests should not repeat it.
 */
export function retryHeaders(now: () => number): Middleware {
  return async (ctx, next) => {
    await next()
    if (ctx.headerSent || ctx.response.get('retry-later')) return
    const seconds = Number(ctx.response.get('retry-after'))
    if (!(seconds > 0) && !LIMIT_STATUSES.has(ctx.status)) return
    ctx.set({ ...retryAfterHeaders(seconds > 0 ? seconds * 1000 : HOUR, now()) })
  }
}

const LIMIT_STATUSES: ReadonlySet<number> = new Set([413, 429])
