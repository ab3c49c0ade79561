import Router from '@koa/router'
import type { Middleware } from 'koa'
import { badRequest } from '../../lib/errors.ts'
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
  const findUnreadyReason = ({ needsWrites }: { readonly needsWrites: boolean }) => {
    const loss = findStoreLoss()
    if (loss !== undefined) return loss
    if (isStopping()) return 'the server is stopping'
    if (!needsWrites) return undefined
    if (!store.isWritable()) return 'the store does not accept writes'
    return eventStore.isWritable() ? undefined : 'events cannot be stored'
  }
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', (ctx) => {
    const { exclude } = ctx.query
    if (exclude !== undefined && exclude !== 'writes') throw badRequest(`exclude should be writes, got ${exclude}`)
    // Servers that share a database all lose it at once. A load balancer that then removed them all would end evaluation.
    const reason = findUnreadyReason({ needsWrites: exclude === undefined })
    ctx.status = reason ? 503 : 200
    ctx.body = reason ? { status: 'unavailable', message: reason } : { status: 'ok' }
  })
  return router.routes() as Middleware
}
