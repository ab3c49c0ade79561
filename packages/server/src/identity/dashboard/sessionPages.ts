import type { Context } from 'koa'
import { methodNotAllowed } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { InteractionError } from '../login/pages/interactionError.ts'
import { showPage } from '../login/pages/page.ts'
import { renderFailure } from '../login/pages/renderFailure.ts'
import { setSecurityHeaders } from '../login/pages/securityHeaders.ts'
import { toPublicPath } from '../oauth/toIssuer.ts'
import { setAccess } from '../requestState.ts'
import type { DashboardCookies } from './cookies.ts'
import type { DashboardSessions, DashboardSignIn } from './dashboardSessions.ts'
import { sessionPaths } from './sessionPaths.ts'
import { renderSignedInPage, SIGNED_IN_SCRIPT } from './signedInPage.ts'
import { createSignInFlow } from './signInFlow.ts'
import { consumeSignInLink } from './signInLinks.ts'

interface Dependencies extends Omit<Parameters<typeof createSignInFlow>[0], 'cookie'> {
  readonly log: Logger
  readonly cookies: DashboardCookies
  readonly sessions: Pick<DashboardSessions, 'create'>
}

type ShowPage = (ctx: Context) => Promise<void>

/**
 * Creates the pages that begin and complete a sign-in to the dashboard. Returns the function that finds one by its
 * path.
 */
export function createSessionPages(dependencies: Dependencies): (path: string) => ShowPage | undefined {
  const { log, publicUrl, cookies, sessions } = dependencies
  const flow = createSignInFlow({ ...dependencies, cookie: cookies.signIn })
  const toPath = (path: string) => toPublicPath(publicUrl(), path)

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
      // A prefetch must not start a sign-in or consume a link.
      if (ctx.method !== 'GET') throw methodNotAllowed('this page', ['GET'], ctx.method)
      if (/prefetch|prerender/.test(`${ctx.get('sec-purpose')} ${ctx.get('purpose')}`)) ctx.status = 503
      else await work(ctx)
    } catch (error) {
      renderFailure(ctx, error, log)
    }
  }

  return (path) => {
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined
    if (page) return (ctx) => showPageOf(ctx, 'dashboardSignIn', page)
    return path.startsWith(sessionPaths.link) ? (ctx) => showPageOf(ctx, 'dashboardLink', followLink) : undefined
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
