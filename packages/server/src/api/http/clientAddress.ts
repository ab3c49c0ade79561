import { isIP } from 'node:net'
import type { Middleware } from 'koa'

/**
 * Makes `ctx.ip` the address of whoever sent a request through so many proxies, each of which adds to `X-Forwarded-For`
 * where it got the request from. What is further to the left anybody can have written. Nothing else that is forwarded counts.
 */
export function clientAddress(trustedProxies: number): Middleware {
  return (ctx, next) => {
    const addresses = ctx.get('x-forwarded-for').split(',')
    const address = addresses.at(-Math.min(trustedProxies, addresses.length))?.trim() ?? ''
    if (trustedProxies > 0 && isIP(address)) ctx.request.ip = address
    return next()
  }
}
