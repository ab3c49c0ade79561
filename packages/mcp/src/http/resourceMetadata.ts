import type { IncomingMessage, ServerResponse } from 'node:http'
import { apiScopes } from '@burgee/contract'
import { errorResponse, sendResponse } from './errorResponse.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** Returns the paths of the endpoint and of its metadata, with and without the path prefix that a proxy may remove. */
export function endpointPaths(resource: string): {
  readonly endpoint: readonly string[]
  readonly metadata: readonly string[]
} {
  const { pathname } = new URL(resource)
  const segment = lastSegment(pathname)
  return {
    endpoint: [segment, pathname],
    metadata: [WELL_KNOWN, `${WELL_KNOWN}${segment}`, `${WELL_KNOWN}${pathname}`]
  }
}

/** Returns the metadata URL for challenges. It is below the path of the server, which a proxy forwards as a whole. */
export function resourceMetadataUrl(resource: string): string {
  const { pathname, origin } = new URL(resource)
  const segment = lastSegment(pathname)
  return `${origin}${pathname.slice(0, -segment.length)}${WELL_KNOWN}${segment}`
}

function lastSegment(pathname: string): string {
  return pathname.slice(pathname.lastIndexOf('/'))
}

interface ResourceMetadata {
  readonly resource: string
  readonly authorizationServer: string
}

/** Handles requests for the protected resource metadata (RFC 9728), readable from any origin. */
export async function handleMetadata(
  { method = '' }: IncomingMessage,
  response: ServerResponse,
  { resource, authorizationServer }: ResourceMetadata
): Promise<void> {
  const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' }
  if (method === 'OPTIONS') {
    const allowed = { 'access-control-allow-methods': 'GET', 'access-control-allow-headers': 'mcp-protocol-version' }
    response.writeHead(204, { ...headers, ...allowed }).end()
    return
  }
  if (method !== 'GET' && method !== 'HEAD') {
    const details = { headers: { ...headers, allow: 'GET, HEAD' } }
    return sendResponse(errorResponse(405, `the method must be GET, got ${method}`, details), response)
  }
  const document = {
    resource,
    authorization_servers: [authorizationServer],
    scopes_supported: apiScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Burgee'
  }
  return sendResponse(Response.json(document, { headers }), response)
}
