import type { IncomingHttpHeaders } from 'node:http'
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'

/**
 * Why a request is not let in by the names it carries: one that was sent to another host than ours came through a name that
 * somebody points here (DNS rebinding), and one from a page of another host was not sent by whoever sits in front of it. A
 * proxy may name this computer as the host; pages of this computer are let in where the endpoint is for nobody else.
 */
export function reasonAgainst({ host, origin }: IncomingHttpHeaders, resource: string): string | undefined {
  const { hostname } = new URL(resource)
  const local = localhostAllowedHostnames()
  const names = [...new Set([...local, hostname])]
  const isPlain = /^[\w.:[\]-]+$/.test(host ?? '')
  if (!isPlain || !validateHostHeader(host, names).ok) return `the Host header should name one of ${names.join(', ')}`
  const pages = local.includes(hostname) ? local : [hostname]
  return validateOriginHeader(origin, pages).ok ? undefined : `the Origin header should name one of ${pages.join(', ')}`
}
