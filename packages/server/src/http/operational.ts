import { openApi } from '@burgee/contract'
import Router from '@koa/router'
import type { Middleware } from 'koa'
import type { Metrics } from '../metrics.ts'
import type { Store } from '../store/store.ts'
import { referencePage } from './reference.ts'

interface Dependencies {
  readonly store: Store
  readonly metrics: Metrics
  readonly version: string
  /** Asked at each request, because the port may be chosen while starting. */
  readonly publicUrl: () => string
  /** Whether the server takes new work; false while it stops. */
  readonly isAccepting: () => boolean
}

/** What those who run the server need: health, metrics, and the description of the API. */
export function operational({ store, metrics, version, publicUrl, isAccepting }: Dependencies): Middleware {
  const router = new Router()
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', (ctx) => {
    const reasons = [
      isAccepting() ? '' : 'the server is stopping',
      store.isWritable() ? '' : 'the store refuses writes'
    ]
    const message = reasons.filter(Boolean).join('; ')
    ctx.status = message ? 503 : 200
    ctx.body = message ? { status: 'unavailable', message } : { status: 'ok' }
  })
  router.get('/metrics', async (ctx) => {
    ctx.type = metrics.registry.contentType
    ctx.body = await metrics.registry.metrics()
  })
  router.get('/openapi.json', (ctx) => {
    ctx.body = openApi(version, publicUrl())
  })
  router.get('/docs', (ctx) => {
    ctx.type = 'html'
    ctx.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    ctx.body = referencePage(openApi(version, publicUrl()))
  })
  return router.routes() as Middleware
}
