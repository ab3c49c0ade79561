import Router from '@koa/router'
import type { Middleware } from 'koa'
import type { EventStore } from '../../storage/events/eventStore.ts'
import type { Store } from '../../storage/store.ts'
import type { ServerMetrics } from '../../telemetry/metrics/metrics.ts'
import { renderReferencePage } from './referencePage.ts'

interface Dependencies {
  readonly store: Pick<Store, 'isWritable'>
  readonly eventStore: Pick<EventStore, 'isWritable'>
  readonly metrics: ServerMetrics
  readonly isStopping: () => boolean
  /** Creates the OpenAPI document. Called once, for the first request that needs it. */
  readonly document: () => Readonly<Record<string, unknown>>
}

/** Routes for operators: health checks, metrics, and the API reference. */
export function healthRoutes({ store, eventStore, metrics, isStopping, document }: Dependencies): Middleware {
  const router = new Router({ sensitive: true, strict: true })
  let described: { readonly json: Readonly<Record<string, unknown>>; readonly page: string } | undefined
  const describe = () => {
    const json = described?.json ?? document()
    described ??= { json, page: renderReferencePage(json) }
    return described
  }
  const findUnreadyReason = () => {
    if (isStopping()) return 'the server is stopping'
    if (!store.isWritable()) return 'the store does not accept writes'
    return eventStore.isWritable() ? undefined : 'events cannot be stored'
  }
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', (ctx) => {
    const reason = findUnreadyReason()
    ctx.status = reason ? 503 : 200
    ctx.body = reason ? { status: 'unavailable', message: reason } : { status: 'ok' }
  })
  router.get('/', (ctx) => ctx.redirect('/docs'))
  router.get('/metrics', async (ctx) => {
    ctx.type = metrics.registry.contentType
    ctx.body = await metrics.registry.metrics()
  })
  router.get('/openapi.json', (ctx) => {
    ctx.body = describe().json
  })
  router.get('/docs', (ctx) => {
    ctx.type = 'html'
    ctx.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    ctx.body = describe().page
  })
  return router.routes() as Middleware
}
