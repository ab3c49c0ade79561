import type { IncomingMessage, ServerResponse } from 'node:http'
import { apiScopes } from '@burgee/contract'
import { refusal, reply } from './refusal.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** Where an endpoint answers, and where it is described; also behind a proxy that keeps the path before `/mcp` to itself. */
export function pathsOf(resource: string): {
  readonly endpoint: readonly string[]
  readonly metadata: readonly string[]
} {
  const { pathname } = new URL(resource)
  const own = lastPartOf(pathname)
  return {
    endpoint: [own, pathname],
    metadata: [WELL_KNOWN, `${WELL_KNOWN}${own}`, `${WELL_KNOWN}${pathname}`]
  }
}

/** Where clients find the description: below the address of the server, of which all paths come here. */
export function metadataUrlOf(resource: string): string {
  const { pathname, origin } = new URL(resource)
  const own = lastPartOf(pathname)
  return `${origin}${pathname.slice(0, -own.length)}${WELL_KNOWN}${own}`
}

function lastPartOf(pathname: string): string {
  return pathname.slice(pathname.lastIndexOf('/'))
}

interface Described {
  readonly resource: string
  readonly authorizationServer: string
}

/** Says whose tokens are good here, and what they can be asked for (RFC 9728). Any page may read it. */
export async function answerMetadata(
  { method = '' }: IncomingMessage,
  response: ServerResponse,
  { resource, authorizationServer }: Described
): Promise<void> {
  const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' }
  if (method === 'OPTIONS') {
    const allowed = { 'access-control-allow-methods': 'GET', 'access-control-allow-headers': 'mcp-protocol-version' }
    response.writeHead(204, { ...headers, ...allowed }).end()
    return
  }
  if (method !== 'GET' && method !== 'HEAD') {
    const refused = { headers: { ...headers, allow: 'GET, HEAD' } }
    return reply(refusal(405, `the method should be GET, got ${method}`, refused), response)
  }
  const document = {
    resource,
    authorization_servers: [authorizationServer],
    scopes_supported: apiScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Burgee'
  }
  return reply(Response.json(document, { headers }), response)
}
