import { createHash, timingSafeEqual } from 'node:crypto'
import Router from '@koa/router'
import Koa, { type Middleware } from 'koa'
import { parseAuthorization } from '../../identity/oauth/bearerToken.ts'
import { HttpError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ServerMetrics } from '../../telemetry/metrics/metrics.ts'
import { errorHandler, notFoundHandler } from './errorHandler.ts'
import { createRequestRecorder, requestLog } from './requestLog.ts'

interface Dependencies {
  readonly metrics: ServerMetrics
  /** The token that requests need; empty for none. */
  readonly token: string
}

/** The metrics of the server, for Prometheus. Pages of other origins cannot read them. */
export function metricsRoute({ metrics, token }: Dependencies): Middleware {
  const router = new Router({ sensitive: true, strict: true })
  router.get('/metrics', async (ctx) => {
    if (token !== '' && !isEqual(parseAuthorization(ctx), token)) throw refused()
    ctx.set('cache-control', 'no-store')
    ctx.type = metrics.registry.contentType
    ctx.body = await metrics.read()
  })
  // Answered here, so that the rules of the API do not allow other origins.
  router.options('/metrics', (ctx) => {
    ctx.set('allow', 'GET, HEAD')
    ctx.status = 204
  })
  return router.routes() as Middleware
}

/** The application of the port for metrics, which serves nothing else. */
export function createMetricsApp(log: Logger, { metrics, token }: Dependencies): Koa {
  const app = new Koa()
  app.use(requestLog(createRequestRecorder({ log, metrics, trustedProxies: 0 }), () => false))
  app.use(errorHandler(log))
  app.use(metricsRoute({ metrics, token }))
  app.use(notFoundHandler)
  return app
}

function refused(): HttpError {
  const headers = { 'www-authenticate': 'Bearer realm="metrics"' }
  return new HttpError(401, '/metrics requires the token of the setting BURGEE_METRICS_TOKEN, after "Bearer "', {
    headers
  })
}

/** Compares digests, in constant time. */
function isEqual(given: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given ?? ''), digest(token))
}
