import type { Context } from 'koa'
import { STYLE_CSP_SOURCE } from './style.ts'

/**
 * Sets the security headers of a page: nothing is loaded, framed, cached or sent as referrer. `redirectUri` is the
 * final target of the form on the page, since browsers apply `form-action` to redirects after a form as well. `scripts`
 * is `self` for pages that load a script of the server.
 */
export function setSecurityHeaders(ctx: Context, redirectUri?: string, scripts: 'none' | 'self' = 'none'): void {
  const targets = ["'self'", ...(redirectUri === undefined ? [] : [sourceOf(redirectUri)])]
  ctx.set({
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${STYLE_CSP_SOURCE}`,
      ...(scripts === 'self' ? ["script-src 'self'"] : []),
      `form-action ${targets.join(' ')}`,
      "frame-ancestors 'none'",
      "base-uri 'none'"
    ].join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin'
  })
}

/** The source expression for a URL: its origin, or its scheme if the scheme is that of an application. */
function sourceOf(address: string): string {
  const { protocol, origin } = new URL(address)
  return protocol === 'http:' || protocol === 'https:' ? origin : protocol
}
