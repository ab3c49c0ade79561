import { isIP } from 'node:net'
import type { Middleware } from 'koa'

/**
 * Sets `ctx.ip` to the address of the client behind this many proxies, each of which appends the address of its peer to
 * `X-Forwarded-For`. Entries further left can be forged. Other forwarding headers are ignored.
 */
export function clientAddress(trustedProxies: number): Middleware {
  return (ctx, next) => {
    const addresses = ctx.get('x-forwarded-for').split(',')
    const address = addresses.at(-Math.min(trustedProxies, addresses.length))?.trim() ?? ''
    if (trustedProxies > 0 && isIP(address)) ctx.request.ip = address
    return next()
  }
}
