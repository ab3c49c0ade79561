import type { IncomingHttpHeaders } from 'node:http'
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'

/**
 * Validates the Host and Origin headers, which prevents DNS rebinding and requests from pages of other sites. Returns the
 * issue, or `undefined`. Proxies may send a loopback name as the host. Pages of this computer are accepted by endpoints on
 * loopback alone.
 */
export function validateHeaders({ host, origin }: IncomingHttpHeaders, resource: string): string | undefined {
  const { hostname } = new URL(resource)
  const local = localhostAllowedHostnames()
  const names = [...new Set([...local, hostname])]
  const isPlain = /^[\w.:[\]-]+$/.test(host ?? '')
  if (!isPlain || !validateHostHeader(host, names).ok) return `the Host header must name one of ${names.join(', ')}`
  const pages = local.includes(hostname) ? local : [hostname]
  return validateOriginHeader(origin, pages).ok ? undefined : `the Origin header must name one of ${pages.join(', ')}`
}
