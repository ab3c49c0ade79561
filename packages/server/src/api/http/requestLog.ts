import { randomUUID } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import type { Logger } from '../../lib/logger.ts'
import type { ServerMetrics } from '../../telemetry/metrics/metrics.ts'

/** Gives each request an id, logs one line about it, and times it. Its address and headers are not logged: they can hold keys and ids of users. */
export function requestLog(log: Logger, metrics: ServerMetrics, isStopping: () => boolean): Middleware {
  return async (ctx: Context, next) => {
    const begun = performance.now()
    ctx.state.requestId = requestId(ctx.get('x-request-id'))
    ctx.set('x-request-id', ctx.state.requestId)
    ctx.set('x-content-type-options', 'nosniff')
    await next()
    // A caller that is told so does not send its next request into a connection that is about to end.
    if (isStopping()) ctx.set('connection', 'close')
    const seconds = (performance.now() - begun) / 1000
    const operation = ctx.state.operation ?? 'none'
    metrics.requests.observe({ operation, method: ctx.method, status: String(ctx.status) }, seconds)
    const { requestId: id } = ctx.state
    const line = { requestId: id, method: ctx.method, operation, status: ctx.status, seconds }
    if (ctx.status >= 500) log.error(line, 'request')
    else log.debug(line, 'request')
  }
}

/** A caller's own id is taken over if it is one that a log can show. */
function requestId(given: string): string {
  return /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
}
