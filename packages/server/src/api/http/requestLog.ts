import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context, Middleware } from 'koa'
import type { Logger } from '../../lib/logger.ts'
import type { ServerMetrics } from '../../telemetry/metrics/metrics.ts'

/** The id of a request that has started, and its start. */
export interface StartedRequest {
  readonly requestId: string
  /** As `performance.now()` counts. */
  readonly startedAt: number
}

/** A request whose response is known. */
interface AnsweredRequest extends StartedRequest {
  readonly operation: string
  readonly method: string
  readonly status: number
  /** Whether it asks for the health of the server, whose other log lines have the cause of a problem. */
  readonly isProbe?: boolean | undefined
  /** Why the store was not available. */
  readonly reason?: string | undefined
}

/** Logs one line for each request, and measures its duration. */
export interface RequestRecorder {
  readonly begin: (request: IncomingMessage) => StartedRequest
  readonly record: (request: AnsweredRequest) => void
}

interface RecorderDependencies {
  readonly log: Logger
  readonly metrics: Pick<ServerMetrics, 'requests' | 'unexpectedErrors'>
  /** The number of trusted reverse proxies, which set or remove the header `X-Request-Id`. */
  readonly trustedProxies: number
}

/** Creates the recorder of a server. URLs and headers are not logged: they can contain keys and user ids. */
export function createRequestRecorder({ log, metrics, trustedProxies }: RecorderDependencies): RequestRecorder {
  return {
    begin: ({ headers }) => ({
      requestId: trustedProxies > 0 ? requestIdOf(String(headers['x-request-id'] ?? '')) : randomUUID(),
      startedAt: performance.now()
    }),
    record: ({ requestId, startedAt, operation, method, status, isProbe, reason }) => {
      const seconds = (performance.now() - startedAt) / 1000
      metrics.requests.observe({ operation, method, status }, seconds)
      if (status === 500) metrics.unexpectedErrors.inc()
      const line = { requestId, method, operation, status, seconds, ...(reason === undefined ? {} : { reason }) }
      if (status >= 500 && status !== NOT_IMPLEMENTED && !isProbe) log.error(line, 'request')
      else log.debug(line, 'request')
    }
  }
}

/** Gives each request of the application an id, and records it. */
export function requestLog(recorder: RequestRecorder, isStopping: () => boolean): Middleware {
  return async (ctx: Context, next) => {
    const begun = recorder.begin(ctx.req)
    ctx.state.requestId = begun.requestId
    ctx.set('x-request-id', begun.requestId)
    ctx.set('x-content-type-options', 'nosniff')
    try {
      await next()
    } finally {
      // Makes clients open a new connection for their next request before the server closes this one.
      if (isStopping()) ctx.set('connection', 'close')
      const { method, status } = ctx
      const { operation = 'none', isProbe, reason } = ctx.state
      recorder.record({ ...begun, operation, method, status, isProbe, reason })
    }
  }
}

/** The status of SCIM for optional features that the server does not support, which is not a server failure. */
const NOT_IMPLEMENTED = 501

/** Returns the id that the proxy sent if it is safe to log, else a new one. */
function requestIdOf(sent: string): string {
  return /^[\w.-]{1,64}$/.test(sent) ? sent : randomUUID()
}
