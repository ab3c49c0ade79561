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
  /** Why the server may not use its store any more; `undefined` while it may. */
  readonly findStoreLoss: () => string | undefined
  /** The OpenAPI document; asked once, when somebody first wants it. */
  readonly document: () => Readonly<Record<string, unknown>>
}

/** What those who run the server need: health, metrics, and the description of the API. */
export function healthRoutes({
  store,
  eventStore,
  metrics,
  isStopping,
  findStoreLoss,
  document
}: Dependencies): Middleware {
  const router = new Router({ sensitive: true, strict: true })
  let described: { readonly json: Readonly<Record<string, unknown>>; readonly page: string } | undefined
  const describe = () => {
    const json = described?.json ?? document()
    described ??= { json, page: renderReferencePage(json) }
    return described
  }
  const findUnreadyReason = () => {
    const loss = findStoreLoss()
    if (loss !== undefined) return loss
    if (isStopping()) return 'the server is stopping'
    if (!store.isWritable()) return 'the store refuses writes'
    return eventStore.isWritable() ? undefined : 'events cannot be kept'
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
