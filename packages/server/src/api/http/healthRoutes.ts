import Router from '@koa/router'
import type { Middleware } from 'koa'
import { badRequest } from '../../lib/errors.ts'

interface Dependencies {
  readonly isStopping: () => boolean
  readonly isWarmingUp: () => boolean
  /** Returns why the server cannot answer any request; `undefined` if it can. */
  readonly findProblem: () => string | undefined
  /** Returns why the server cannot store anything; `undefined` if it can. */
  readonly findWriteProblem: () => string | undefined
  /** Returns what a server without the store adds about its configs. */
  readonly describeConfigs?: () => ConfigHealth
}

/** The configs of a server without the store. */
export interface ConfigHealth {
  /** `degraded` while they cannot be updated. */
  readonly status: 'ok' | 'degraded'
  /** The time since the oldest of them was known to be current. */
  readonly configAgeSeconds: number | undefined
}

/** Health, for load balancers and monitoring. */
export function healthRoutes({
  isStopping,
  isWarmingUp,
  findProblem,
  findWriteProblem,
  describeConfigs
}: Dependencies): Middleware {
  const router = new Router({ sensitive: true, strict: true })
  const findUnreadyReason = ({ needsWrites }: { readonly needsWrites: boolean }) => {
    const problem = findProblem()
    if (problem !== undefined) return problem
    if (isStopping()) return 'the server is stopping'
    if (isWarmingUp()) return 'the server is preparing its first evaluations'
    return needsWrites ? findWriteProblem() : undefined
  }
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', (ctx) => {
    ctx.state.isProbe = true
    const { exclude } = ctx.query
    if (exclude !== undefined && exclude !== 'writes') throw badRequest(`exclude should be writes, got ${exclude}`)
    // Servers that share a database all lose it at once. A load balancer that then removed them all would end
    // evaluation.
    const reason = findUnreadyReason({ needsWrites: exclude === undefined })
    ctx.status = reason ? 503 : 200
    const configs = describeConfigs?.()
    ctx.body = reason ? { ...configs, status: 'unavailable', message: reason } : { status: 'ok', ...configs }
  })
  return router.routes() as Middleware
}
