import type { Context } from 'koa'

/** The cookies of the dashboard. */
export interface DashboardCookies {
  readonly session: Cookie
  /** A sign-in in progress. Lax, because an identity provider elsewhere may redirect back. */
  readonly signIn: Cookie
}

/** A cookie without access for scripts. */
export interface Cookie {
  readonly get: (ctx: Context) => string | undefined
  readonly set: (ctx: Context, value: string) => void
  readonly remove: (ctx: Context) => void
}

/** Over https, browsers enforce that this host set the cookies for all of its paths. */
export function createDashboardCookies(publicUrl: () => string): DashboardCookies {
  const cookie = (name: string, attributes: string): Cookie => {
    const isSecure = () => publicUrl().startsWith('https:')
    const fullName = () => (isSecure() ? `__Host-${name}` : name)
    // Not through Koa, which refuses `Secure` behind a proxy that it does not trust.
    const append = (ctx: Context, value: string, rest: string) => {
      ctx.append('set-cookie', `${fullName()}=${value}; Path=/; HttpOnly; ${rest}${isSecure() ? '; Secure' : ''}`)
    }
    return {
      get: (ctx) => ctx.cookies.get(fullName(), { signed: false }) || undefined,
      set: (ctx, value) => append(ctx, value, attributes),
      remove: (ctx) => append(ctx, '', `${attributes.split(';')[0]}; Max-Age=0`)
    }
  }
  return {
    session: cookie('burgee-dashboard', `SameSite=Strict; Max-Age=${7 * 86_400}`),
    signIn: cookie('burgee-dashboard-sign-in', 'SameSite=Lax; Max-Age=600')
  }
}
