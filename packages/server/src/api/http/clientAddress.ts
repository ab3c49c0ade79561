import { isIP } from 'node:net'
import type { Middleware } from 'koa'

/**
 * Sets `ctx.ip` to the address of the client behind this many proxies, each of which appends the address of its peer to
 * `X-Forwarded-For`. Entries further left can be forged. Other forwarding headers are ignored. An entry that is not
 * an address counts as an unknown address, which is in no network; the proxy's own address could be in an allowed one.
 */
export function clientAddress(trustedProxies: number): Middleware {
  return (ctx, next) => {
    const header = ctx.get('x-forwarded-for')
    if (trustedProxies > 0 && header !== '') {
      const addresses = header.split(',')
      ctx.request.ip = parseEntry(addresses.at(-Math.min(trustedProxies, addresses.length)) ?? '') ?? UNKNOWN
    }
    return next()
  }
}

/** The address of a client that the proxy did not name in a known form. */
const UNKNOWN = 'unknown'

/** Returns the address of an entry: alone, or with a port, as some proxies append it. */
function parseEntry(text: string): string | undefined {
  const entry = text.trim()
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry) ?? []
  return [entry, bracketed, plain].find((one) => one !== undefined && isIP(one) !== 0)
}
