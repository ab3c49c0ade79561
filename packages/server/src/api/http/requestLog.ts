import { randomUUID } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import type { Logger } from '../../lib/logger.ts'
import type { ServerMetrics } from '../../telemetry/metrics/metrics.ts'

interface RequestLogOptions {
  readonly isStopping: () => boolean
  /** Whether requests come through a trusted proxy, which sets or removes the header `X-Request-Id`. */
  readonly acceptsIds: boolean
}

/**
 * Gives each request an id, logs one line, and measures the duration. URLs and headers are not logged: they can contain
 * keys and user ids.
 */
export function requestLog(
  log: Logger,
  metrics: ServerMetrics,
  { isStopping, acceptsIds }: RequestLogOptions
): Middleware {
  return async (ctx: Context, next) => {
    const startedAt = performance.now()
    ctx.state.requestId = acceptsIds ? requestId(ctx.get('x-request-id')) : randomUUID()
    ctx.set('x-request-id', ctx.state.requestId)
    ctx.set('x-content-type-options', 'nosniff')
    try {
      await next()
    } finally {
      // Makes clients open a new connection for their next request before the server closes this one.
      if (isStopping()) ctx.set('connection', 'close')
      const seconds = (performance.now() - startedAt) / 1000
      const { operation = 'none', requestId: id } = ctx.state
      const { method, status } = ctx
      metrics.requests.observe({ operation, method, status: String(status) }, seconds)
      if (status === 500) metrics.unexpectedErrors.inc()
      const line = { requestId: id, method, operation, status, seconds }
      if (status >= 500 && status !== NOT_IMPLEMENTED) log.error(line, 'request')
      else log.debug(line, 'request')
    }
  }
}

/** The status of SCIM for optional features that the server does not support, which is not a server failure. */
const NOT_IMPLEMENTED = 501

/** Returns the id that the proxy sent if it is safe to log, else a new one. */
function requestId(sent: string): string {
  return /^[\w.-]{1,64}$/.test(sent) ? sent : randomUUID()
}
