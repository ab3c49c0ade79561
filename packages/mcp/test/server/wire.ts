import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  JSONRPC_VERSION,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY
} from '@modelcontextprotocol/server'

/** The client info of hand-written messages. */
export const clientInfo = { name: 'test-host', version: '1.0.0' }

/** The newest revision of the protocol. */
const NEWEST = '2026-07-28'

/** Builds a JSON-RPC request. */
export function requestOf(id: number, method: string, params?: Record<string, unknown>): JSONRPCRequest {
  return { jsonrpc: JSONRPC_VERSION, id, method, ...(params ? { params } : {}) }
}

/** The first message of a session. */
export const initialize = requestOf(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })

/** Builds the `_meta` of a stateless request, which describes the client. */
export function metaOf(capabilities: object = {}) {
  return {
    [PROTOCOL_VERSION_META_KEY]: NEWEST,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities
  }
}

/** Builds the HTTP headers of a stateless request. */
export function headersOf(method: string, name?: string): Readonly<Record<string, string>> {
  return { 'mcp-protocol-version': NEWEST, 'mcp-method': method, ...(name ? { 'mcp-name': name } : {}) }
}
