import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  JSONRPC_VERSION,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY
} from '@modelcontextprotocol/server'

/** What a program calls itself that writes its messages itself. */
export const clientInfo = { name: 'test-host', version: '1.0.0' }

/** The newest revision of the protocol. */
const NEWEST = '2026-07-28'

/** A message of the protocol that wants an answer. */
export function requestOf(id: number, method: string, params?: Record<string, unknown>): JSONRPCRequest {
  return { jsonrpc: JSONRPC_VERSION, id, method, ...(params ? { params } : {}) }
}

/** The first message of a session. */
export const initialize = requestOf(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })

/** What a request of the newest revision says of its client, which no session knows. */
export function metaOf(capabilities: object = {}) {
  return {
    [PROTOCOL_VERSION_META_KEY]: NEWEST,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities
  }
}

/** The headers that go with such a request over HTTP. */
export function headersOf(method: string, name?: string): Readonly<Record<string, string>> {
  return { 'mcp-protocol-version': NEWEST, 'mcp-method': method, ...(name ? { 'mcp-name': name } : {}) }
}
