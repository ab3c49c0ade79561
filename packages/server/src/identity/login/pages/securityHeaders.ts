import type { Context } from 'koa'
import { STYLE_CSP_SOURCE } from './style.ts'

/**
 * Gives an answer for people the headers that keep it to them: nothing is loaded, nobody frames it, keeps it, or hears
 * where they come from. `redirectUri` is where the form on it leads in the end: browsers hold redirects after a form
 * against the policy too.
 */
export function setSecurityHeaders(ctx: Context, redirectUri?: string): void {
  const targets = ["'self'", ...(redirectUri === undefined ? [] : [sourceOf(redirectUri)])]
  ctx.set({
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${STYLE_CSP_SOURCE}`,
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

/** An address as a policy names it: its origin, or its scheme where that belongs to an application. */
function sourceOf(address: string): string {
  const { protocol, origin } = new URL(address)
  return protocol === 'http:' || protocol === 'https:' ? origin : protocol
}
