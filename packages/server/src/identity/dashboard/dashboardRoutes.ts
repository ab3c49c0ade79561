import type { Context, Middleware } from 'koa'
import type { Provider } from 'oidc-provider'
import type { EditRunner } from '../../access/audit/edit.ts'
import { methodNotAllowed, notFound, unauthorized } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Store } from '../../storage/store.ts'
import type { UpstreamSessions } from '../upstream/upstreamSessions.ts'
import { assertFromDashboard, type DashboardRefusal } from './assertFromDashboard.ts'
import { createDashboardCookies } from './cookies.ts'
import { createDashboardSessions } from './dashboardSessions.ts'
import { createSessionPages } from './sessionPages.ts'
import { SESSION_API, sessionPaths } from './sessionPaths.ts'

interface Dependencies {
  readonly provider: () => Promise<Provider>
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly log: Logger
  readonly now: () => number
  /** The public URL of the server, known once it listens. */
  readonly publicUrl: () => string
  readonly upstreamSessions: UpstreamSessions
  /** Requests wait until this resolves. */
  readonly started: Promise<void>
  /** Receives the reason of each refused request with a cookie. */
  readonly onDashboardRefusal: (reason: DashboardRefusal) => void
}

/**
 * Serves the browser sessions of the dashboard below `/session/`; passes other requests on. An operation below
 * `/session/api` continues at its own path with the person of the session; CORS does not apply to it.
 */
export function dashboardRoutes(dependencies: Dependencies): Middleware {
  const { log, publicUrl, started, onDashboardRefusal } = dependencies
  const cookies = createDashboardCookies(publicUrl)
  const sessions = createDashboardSessions(dependencies)
  const findPage = createSessionPages({ ...dependencies, cookies, sessions })

  const assertOwn = (ctx: Context) =>
    assertFromDashboard(ctx, publicUrl(), (reason) => {
      const { requestId } = ctx.state
      log.warn({ requestId, method: ctx.method, reason }, 'a request with the session of the dashboard was refused')
      onDashboardRefusal(reason)
    })

  const signOut = async (ctx: Context) => {
    ctx.state.operation = 'dashboardSignOut'
    ctx.state.surface = 'management'
    assertOwn(ctx)
    if (ctx.method !== 'POST') throw methodNotAllowed(ctx.path, ['POST'], ctx.method)
    const token = cookies.session.get(ctx)
    if (token !== undefined) await sessions.end(token)
    cookies.session.remove(ctx)
    ctx.set({ 'clear-site-data': '"cache"', 'cache-control': 'no-store' })
    ctx.status = 204
  }

  const identify = async (ctx: Context, path: string) => {
    ctx.state.surface = 'management'
    assertOwn(ctx)
    const token = cookies.session.get(ctx)
    const read = async (isUse: boolean) => {
      const identity = token === undefined ? undefined : await sessions.find(token, isUse)
      if (!identity) throw unauthorized('the session has ended, or there is none: sign in at /session/sign-in')
      return identity
    }
    ctx.state.dashboardIdentity = await read(true)
    // An open stream does not extend the session.
    ctx.state.readDashboardIdentity = () => read(false)
    ctx.path = path
  }

  return async (ctx, next) => {
    const { path } = ctx
    if (!path.startsWith(sessionPaths.root)) return next()
    await started
    const showPage = findPage(path)
    if (showPage) return showPage(ctx)
    if (path === sessionPaths.signOut) return signOut(ctx)
    const [, operation] = SESSION_API.exec(path) ?? []
    if (operation === undefined) {
      ctx.state.surface = 'management'
      throw notFound(`no route for this path below ${sessionPaths.root}`)
    }
    await identify(ctx, operation)
    await next()
  }
}
