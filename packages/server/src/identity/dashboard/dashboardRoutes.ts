import type { Context, Middleware } from 'koa'
import type { Provider } from 'oidc-provider'
import type { EditRunner } from '../../access/audit/edit.ts'
import { methodNotAllowed, notFound, unauthorized } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Store } from '../../storage/store.ts'
import { InteractionError } from '../login/pages/interactionError.ts'
import { showPage } from '../login/pages/page.ts'
import { renderFailure } from '../login/pages/renderFailure.ts'
import { setSecurityHeaders } from '../login/pages/securityHeaders.ts'
import { toPublicPath } from '../oauth/toIssuer.ts'
import { setAccess } from '../requestState.ts'
import type { UpstreamSessions } from '../upstream/upstreamSessions.ts'
import { assertFromDashboard, type DashboardRefusal } from './assertFromDashboard.ts'
import { createDashboardCookies } from './cookies.ts'
import { createDashboardSessions, type DashboardSignIn } from './dashboardSessions.ts'
import { SESSION_API, sessionPaths } from './sessionPaths.ts'
import { renderSignedInPage, SIGNED_IN_SCRIPT } from './signedInPage.ts'
import { createSignInFlow } from './signInFlow.ts'
import { consumeSignInLink } from './signInLinks.ts'

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
  const flow = createSignInFlow({ ...dependencies, cookie: cookies.signIn })
  const toPath = (path: string) => toPublicPath(publicUrl(), path)

  const assertOwn = (ctx: Context) =>
    assertFromDashboard(ctx, publicUrl(), (reason) => {
      const { requestId } = ctx.state
      log.warn({ requestId, method: ctx.method, reason }, 'a request with the session of the dashboard was refused')
      onDashboardRefusal(reason)
    })

  const signIn = async (ctx: Context, completed: DashboardSignIn): Promise<void> => {
    const token = await sessions.create(completed, cookies.session.get(ctx))
    cookies.session.set(ctx, token)
    ctx.set('cache-control', 'no-store')
  }

  const pages: Readonly<Record<string, (ctx: Context) => Promise<void>>> = {
    [sessionPaths.signIn]: async (ctx) => redirect(ctx, await flow.start(ctx)),
    [sessionPaths.callback]: async (ctx) => {
      const { signIn: completed, to, isPopup } = await flow.complete(ctx)
      await signIn(ctx, completed)
      if (!isPopup) return redirect(ctx, toPath(to))
      setSecurityHeaders(ctx, undefined, 'self')
      showPage(ctx, renderSignedInPage(toPath(sessionPaths.popupScript)))
    },
    [sessionPaths.popupScript]: async (ctx) => {
      ctx.type = 'text/javascript'
      ctx.body = SIGNED_IN_SCRIPT
    }
  }

  const followLink = async (ctx: Context) => {
    setAccess(ctx, { kind: 'signIn', method: 'link' })
    const completed = await consumeSignInLink(dependencies, ctx.path.slice(sessionPaths.link.length))
    if (!completed) throw expiredLink(toPath(sessionPaths.signIn))
    setAccess(ctx, { idp_user: completed.signIn.accountId, actor: 'person' })
    await signIn(ctx, completed.signIn)
    redirect(ctx, toPath(completed.to))
  }

  const showPageOf = async (ctx: Context, operation: string, work: (ctx: Context) => Promise<void>) => {
    ctx.state.operation = operation
    setSecurityHeaders(ctx)
    try {
      // A prefetch must not start a sign-in, or use a link up.
      if (ctx.method !== 'GET') throw methodNotAllowed('this page', ['GET'], ctx.method)
      if (/prefetch|prerender/.test(`${ctx.get('sec-purpose')} ${ctx.get('purpose')}`)) ctx.status = 503
      else await work(ctx)
    } catch (error) {
      renderFailure(ctx, error, log)
    }
  }

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
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined
    if (page) return showPageOf(ctx, 'dashboardSignIn', page)
    if (path.startsWith(sessionPaths.link)) return showPageOf(ctx, 'dashboardLink', followLink)
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

function redirect(ctx: Context, address: string): void {
  ctx.status = 303
  ctx.redirect(address)
}

function expiredLink(address: string): InteractionError {
  return new InteractionError({
    status: 400,
    title: 'This link has expired',
    message: 'Each link signs in once, within 15 minutes. A restart of the server prints a new one.',
    next: { address, label: 'Sign in' }
  })
}
