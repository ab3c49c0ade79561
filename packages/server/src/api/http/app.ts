import { operations } from '@burgee/contract'
import { USER_HASH_HEADER } from '@burgee/contract/schemas'
import { isDisconnect } from '@burgee/kit'
import cors from '@koa/cors'
import Koa, { type Context, type Middleware, type Next } from 'koa'
import type { AccessRecorder } from '../../access/accessLog/accessRecorder.ts'
import { isPagePath } from '../../identity/oauth/paths.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ServerMetrics } from '../../telemetry/metrics/metrics.ts'
import type { Tracing } from '../../telemetry/tracing/tracing.ts'
import { clientAddress } from './clientAddress.ts'
import { errorHandler, notFoundHandler } from './errorHandler.ts'
import { recordAccess } from './recordAccess.ts'
import { receiveBody } from './request/receiveBody.ts'
import { type RequestRecorder, requestLog } from './requestLog.ts'
import { requestTracing } from './requestTracing.ts'
import { retryHeaders } from './response/retryHeaders.ts'

interface Dependencies {
  readonly log: Logger
  readonly metrics: Pick<ServerMetrics, 'unexpectedErrors'>
  readonly requestRecorder: RequestRecorder
  readonly tracing: Tracing
  readonly accessRecorder: AccessRecorder
  readonly now: () => number
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
  requestRecorder,
  tracing,
  accessRecorder,
  now,
  isStopping,
  trustedProxies,
  ownCorsRoutes,
  routers
}: Dependencies): Koa {
  const app = new Koa()
  const handleErrors = errorHandler(log)
  app.use(requestTracing(tracing))
  app.use(requestLog(requestRecorder, isStopping))
  // Handles errors of the access log and of headers, which need the response that the inner handler produces.
  app.use(handleErrors)
  app.use(recordAccess(accessRecorder))
  app.use(retryHeaders(now))
  app.use(receiveBody())
  app.use(handleErrors)
  app.use(clientAddress(trustedProxies))
  app.use(trimLeadingSlashes)
  for (const middleware of ownCorsRoutes) app.use(middleware)
  app.use(browserCors())
  for (const middleware of routers) app.use(middleware)
  app.use(notFoundHandler)
  app.on('error', (error: unknown, ctx: Context) => {
    const { requestId } = ctx.state
    if (isDisconnect(error)) return log.debug({ requestId, err: error }, 'the client closed the connection')
    // The body stream and the response both report an error of the body.
    if (ctx.state.failure === error) return
    ctx.state.failure = error
    metrics.unexpectedErrors.inc()
    log.error({ requestId, err: error }, 'a request failed after its response had started')
    // A response that merely ended would look complete to the client.
    if (ctx.headerSent) ctx.res.destroy()
  })
  return app
}

/** Treats `//config` as `/config`: SDKs request the former if their base URL ends in a slash. */
function trimLeadingSlashes(ctx: Context, next: Next): Promise<void> {
  if (/^\/\/+[^/]/.test(ctx.path)) ctx.path = ctx.path.replace(/^\/+/, '/')
  return next()
}

/**
 * Allows calls from every origin: the API accepts SDK keys and tokens, never cookies. The sign-in pages, which use
 * cookies, allow none.
 */
function browserCors(): Middleware {
  const allow = cors({
    origin: ({ path }) => (isPagePath(path) ? '' : '*'),
    // The response then names the origin instead of `*`. Requests without credentials can read it too.
    credentials: (ctx) => ctx.path === STREAM_PATH && ctx.get('origin') !== '',
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: [
      'authorization',
      'burgee-referrer',
      'burgee-referrer-metadata',
      'cache-control',
      'content-type',
      'idempotency-key',
      'if-match',
      'if-none-match',
      'last-event-id',
      'x-api-key',
      USER_HASH_HEADER,
      'x-request-id',
      'x-requested-with'
    ],
    exposeHeaders: [...EXPOSED_HEADERS],
    // `errorHandler` keeps the headers of a failed request, so the plug-in need not copy them into the error.
    keepHeadersOnError: false,
    maxAge: 86_400
  })
  return (ctx, next) =>
    // Requests with the cookie of the dashboard are for its own origin only.
    ctx.state.dashboardIdentity
      ? next()
      : allow(ctx, () => {
          // Caches would otherwise store one response per origin, although only the stream differs by it.
          if (ctx.path !== STREAM_PATH && !isPagePath(ctx.path)) ctx.remove('vary')
          return next()
        })
}

/** The headers of responses that scripts of all origins can read. */
export const EXPOSED_HEADERS = ['count', 'etag', 'retry-after', 'retry-later', 'x-request-id'] as const

/**
 * The path of the event stream. Client SDKs open it with credentials, which CORS requires the server to allow. It reads
 * no cookies.
 */
const STREAM_PATH = operations.streamEvents.path
