import type { IncomingHttpHeaders } from 'node:http'
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'

/**
 * Validates the Host and Origin headers, which prevents DNS rebinding and cross-site requests. Returns the issue, or
 * `undefined`. Proxies may send a loopback name as the host. Loopback origins are accepted only by endpoints on loopback.
 */
export function validateHeaders({ host, origin }: IncomingHttpHeaders, resource: string): string | undefined {
  const { hostname } = new URL(resource)
  const local = localhostAllowedHostnames()
  const names = [...new Set([...local, hostname])]
  const isPlain = /^[\w.:[\]-]+$/.test(host ?? '')
  if (!isPlain || !validateHostHeader(host, names).ok) return `the Host header must name one of ${names.join(', ')}`
  const origins = local.includes(hostname) ? local : [hostname]
  return validateOriginHeader(origin, origins).ok
    ? undefined
    : `the Origin header must name one of ${origins.join(', ')}`
}
