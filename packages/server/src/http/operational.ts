import Router from '@koa/router'
import type { Middleware } from 'koa'
import type { Metrics } from '../metrics.ts'
import type { Store } from '../store/store.ts'
import { referencePage } from './reference.ts'

interface Dependencies {
  readonly store: Store
  readonly metrics: Metrics
  readonly isStopping: () => boolean
  /** The OpenAPI document; asked once, when somebody first wants it. */
  readonly document: () => Readonly<Record<string, unknown>>
}

/** What those who run the server need: health, metrics, and the description of the API. */
export function operational({ store, metrics, isStopping, document }: Dependencies): Middleware {
  const router = new Router({ sensitive: true, strict: true })
  let described: { readonly json: Readonly<Record<string, unknown>>; readonly page: string } | undefined
  const describe = () => {
    const json = described?.json ?? document()
    described ??= { json, page: referencePage(json) }
    return described
  }
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', (ctx) => {
    const reason = isStopping() ? 'the server is stopping' : store.isWritable() ? '' : 'the store refuses writes'
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
