import { operations } from '@burgee/contract'
import cors from '@koa/cors'
import Koa, { type Context, type Middleware, type Next } from 'koa'
import type { Logger } from '../../lib/logger.ts'
import type { ServerMetrics } from '../../telemetry/metrics/metrics.ts'
import type { Tracing } from '../../telemetry/tracing/tracing.ts'
import { clientAddress } from './clientAddress.ts'
import { errorHandler, refusePath } from './errorHandler.ts'
import { requestLog } from './requestLog.ts'
import { requestTracing } from './requestTracing.ts'

interface Dependencies {
  readonly log: Logger
  readonly metrics: ServerMetrics
  readonly tracing: Tracing
  readonly isStopping: () => boolean
  /** The number of trusted reverse proxies in front of the server. */
  readonly trustedProxies: number
  /** Routers with CORS rules of their own. They run first. */
  readonly ownCorsRoutes: readonly Middleware[]
  /** All other routers, in order. */
  readonly routers: readonly Middleware[]
}

/** Builds the middleware stack, from the outside in. */
export function createApp({
  log,
  metrics,
  tracing,
  isStopping,
  trustedProxies,
  ownCorsRoutes,
  routers
}: Dependencies): Koa {
  const app = new Koa()
  app.use(requestTracing(tracing))
  app.use(requestLog(log, metrics, isStopping))
  app.use(errorHandler(log))
  app.use(clientAddress(trustedProxies))
  app.use(trimLeadingSlashes)
  for (const middleware of ownCorsRoutes) app.use(middleware)
  app.use(browserCors())
  for (const middleware of routers) app.use(middleware)
  app.use(refusePath)
  app.on('error', (error: unknown, ctx: Context) => {
    const { requestId } = ctx.state
    if (isHangUp(error)) return log.debug({ requestId, err: error }, 'the caller closed the connection')
    // The end of the body and the end of the response both report the error of a body.
    if (ctx.state.failure === error) return
    ctx.state.failure = error
    metrics.unexpectedErrors.inc()
    log.error({ requestId, err: error }, 'a request failed after its response had begun')
    // A response that only stops would look complete to the caller.
    if (ctx.headerSent) ctx.res.destroy()
  })
  return app
}

/** Reads `//config` as `/config`: SDKs join the two where the base address that they are given ends in a slash. */
function trimLeadingSlashes(ctx: Context, next: Next): Promise<void> {
  if (/^\/\/+[^/]/.test(ctx.path)) ctx.path = ctx.path.replace(/^\/+/, '/')
  return next()
}

/** True for errors that the other end of a connection causes by closing it. */
function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && HANG_UP_CODES.includes(error.code)
}

const HANG_UP_CODES: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE']

/**
 * Allows calls from every origin: the API accepts SDK keys and tokens, never cookies. The sign-in pages, which use
 * cookies, allow none.
 */
function browserCors(): Middleware {
  const allow = cors({
    origin: ({ path }) => (FOR_PEOPLE.test(path) ? '' : '*'),
    // The response then names the origin instead of `*`. Requests without credentials can read it too.
    credentials: (ctx) => ctx.path === WITH_CREDENTIALS && ctx.get('origin') !== '',
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: [
      'authorization',
      'burgee-referrer',
      'burgee-referrer-metadata',
      'cache-control',
      'content-type',
      'idempotency-key',
      'if-none-match',
      'last-event-id',
      'x-api-key',
      'x-request-id',
      'x-requested-with'
    ],
    exposeHeaders: ['count', 'etag', 'retry-after', 'retry-later', 'x-request-id'],
    // `errorHandler` keeps the headers of a failed request, so the plug-in need not copy them into the error.
    keepHeadersOnError: false,
    maxAge: 86_400
  })
  return (ctx, next) =>
    allow(ctx, () => {
      // Caches would otherwise store one response per origin, although only the stream differs by it.
      if (ctx.path !== WITH_CREDENTIALS && !FOR_PEOPLE.test(ctx.path)) ctx.remove('vary')
      return next()
    })
}

/**
 * The stream of client SDKs. They open it with credentials, which browsers require the server to allow; it reads no
 * cookies.
 */
const WITH_CREDENTIALS = operations.streamEvents.path

/** The pages of the sign-in, which browsers visit themselves. */
const FOR_PEOPLE = /^(\/oauth\/(authorize|interactions|callback|sign-out)(\/|$)|\/authorize$)/
