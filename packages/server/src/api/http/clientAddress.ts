import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Middleware } from 'koa'
import { peerAddressOf } from './forwarding/peerAddress.ts'

/** Sets `ctx.ip` to the address of the client. */
export function clientAddress(trustedProxies: number): Middleware {
  return (ctx, next) => {
    ctx.request.ip = addressOf(ctx.req, trustedProxies)
    return next()
  }
}

/**
 * Returns the address of the client behind this many proxies, each of which appends the address of its peer to
 * `X-Forwarded-For`. Entries further left can be forged. Other forwarding headers are ignored. An entry that is not
 * an address counts as an unknown address, which is in no network; the proxy's own address could be in an allowed one.
 */
export function addressOf(request: IncomingMessage, trustedProxies: number): string {
  // Node joins repeated headers of this name.
  const header = trustedProxies > 0 ? String(request.headers['x-forwarded-for'] ?? '') : ''
  if (header === '') return peerAddressOf(request)
  const addresses = header.split(',')
  return parseEntry(addresses.at(-Math.min(trustedProxies, addresses.length)) ?? '') ?? UNKNOWN
}

/** The address of a client that the proxy did not name in a known form. */
const UNKNOWN = 'unknown'

/** Returns the address of an entry: alone, or with a port, as some proxies append it. */
function parseEntry(text: string): string | undefined {
  const entry = text.trim()
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry) ?? []
  return [entry, bracketed, plain].find((one) => one !== undefined && isIP(one) !== 0)
}
