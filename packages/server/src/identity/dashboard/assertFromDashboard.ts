import type { Context } from 'koa'
import { forbidden } from '../../lib/errors.ts'

/** Why a request with the cookie of the dashboard was refused. */
export type DashboardRefusal = 'origin' | 'header' | 'content' | 'preflight'

/**
 * The header that scripts of the dashboard send. Scripts of other origins need a preflight for it, which is refused.
 */
const DASHBOARD_HEADER = 'burgee-dashboard'

/**
 * Asserts that a script of the dashboard sent a request, because the browser attaches the cookie of the session to
 * requests of other pages as well. `onRefused` receives the reason.
 * @throws {HttpError} 403
 */
export function assertFromDashboard(
  ctx: Context,
  publicUrl: string,
  onRefused: (reason: DashboardRefusal) => void
): void {
  const refuse = (reason: DashboardRefusal, message: string) => {
    onRefused(reason)
    return forbidden(message)
  }
  if (ctx.method === 'OPTIONS') throw refuse('preflight', 'the dashboard is not callable from other origins')
  const [site, origin] = [ctx.get('sec-fetch-site'), ctx.get('origin')]
  if (!isSameOrigin({ site, origin, host: ctx.get('host') }, new URL(publicUrl).origin)) {
    throw refuse('origin', `only the dashboard at ${new URL(publicUrl).origin} may call this path`)
  }
  // `EventSource` cannot send headers.
  const isStream = ctx.method === 'GET' && site !== '' && ctx.get('accept') === 'text/event-stream'
  if (!isStream && ctx.get(DASHBOARD_HEADER) !== '1') {
    throw refuse(
      'header',
      `the header ${DASHBOARD_HEADER} should be 1, got ${ctx.get(DASHBOARD_HEADER) ? 'another value' : 'none'}`
    )
  }
  const hasBody = ctx.get('transfer-encoding') !== '' || !['', '0'].includes(ctx.get('content-length'))
  if (hasBody && !ctx.is('application/json')) {
    throw refuse('content', 'the content-type of a body should be application/json')
  }
}

/**
 * Whether a request has the origin of the dashboard. Browsers set both headers. With `Sec-Fetch-Site`, the dashboard
 * may be open at an address of this server other than the public one; the `Host` header names it.
 */
function isSameOrigin(
  { site, origin, host }: { readonly site: string; readonly origin: string; readonly host: string },
  publicOrigin: string
): boolean {
  if (site === '') return origin === publicOrigin
  const isOwn = origin === '' || origin === publicOrigin || /^https?:\/\/(.*)$/.exec(origin)?.[1] === host
  return site === 'same-origin' && isOwn
}
