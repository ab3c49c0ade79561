import Router from '@koa/router'
import type { Middleware } from 'koa'
import type { EventStore } from '../../storage/events/eventStore.ts'
import type { Store } from '../../storage/store.ts'

interface Dependencies {
  readonly store: Pick<Store, 'isWritable'>
  readonly eventStore: Pick<EventStore, 'isWritable'>
  readonly isStopping: () => boolean
  /** Returns why the server may no longer use its store; `undefined` while it may. */
  readonly findStoreLoss: () => string | undefined
}

/** Health, for load balancers and monitoring. */
export function healthRoutes({ store, eventStore, isStopping, findStoreLoss }: Dependencies): Middleware {
  const router = new Router({ sensitive: true, strict: true })
  const findUnreadyReason = () => {
    const loss = findStoreLoss()
    if (loss !== undefined) return loss
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
  return router.routes() as Middleware
}
