import { operations } from '@burgee/contract'
import cors from '@koa/cors'
import Koa, { type Middleware } from 'koa'
import type { Logger } from '../../lib/logger.ts'
import type { ServerMetrics } from '../../telemetry/metrics/metrics.ts'
import type { Tracing } from '../../telemetry/tracing/tracing.ts'
import { clientAddress } from './clientAddress.ts'
import { errorHandler } from './errorHandler.ts'
import { requestLog } from './requestLog.ts'
import { requestTracing } from './requestTracing.ts'

interface Dependencies {
  readonly log: Logger
  readonly metrics: ServerMetrics
  readonly tracing: Tracing
  readonly isStopping: () => boolean
  /** How many proxies are in front of the server. */
  readonly trustedProxies: number
  /** What answers by rules of its own for browsers, before everything else. */
  readonly ownCorsRoutes: readonly Middleware[]
  /** What answers, in the order of asking. */
  readonly routers: readonly Middleware[]
}

/** The onion, from the outside in. */
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
  app.use(clientAddress(trustedProxies))
  for (const middleware of ownCorsRoutes) app.use(middleware)
  app.use(browserCors())
  app.use(errorHandler(log))
  for (const middleware of routers) app.use(middleware)
  // What reaches Koa itself happened outside of the onion: a connection that broke while it was answered.
  app.on('error', (error) => log.debug({ err: error }, 'a connection broke'))
  return app
}

/** Browsers may call from any page: an SDK key or a token opens what it opens, and no cookie does, but for what people see who sign in. */
function browserCors(): Middleware {
  const allow = cors({
    origin: ({ path }) => (FOR_PEOPLE.test(path) ? '' : '*'),
    // The origin is named then, where the asterisk stood. A page that asks without credentials can read that as well.
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
      'x-request-id'
    ],
    exposeHeaders: ['count', 'etag', 'retry-after', 'retry-later', 'x-request-id'],
    maxAge: 86_400
  })
  return (ctx, next) =>
    allow(ctx, () => {
      // Caches would keep one answer for each origin; only what follows may differ by it.
      if (ctx.path !== WITH_CREDENTIALS && !FOR_PEOPLE.test(ctx.path)) ctx.remove('vary')
      return next()
    })
}

/** Where client SDKs read messages: they ask with credentials (`evaluation.md` §1.5), which browsers then want allowed, though none count. */
const WITH_CREDENTIALS = operations.streamEvents.path

/** Where people sign in: their browsers go there themselves. */
const FOR_PEOPLE = /^\/oauth\/(authorize|interactions|callback|sign-out)(\/|$)/
