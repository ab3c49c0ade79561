import { type ApiResponse, send, type TestServer } from '@burgee/testing/harness'
import { expect } from 'vitest'

/** An HTTP client of the tools with its own session, without elicitation. */
export interface ToolClient {
  /** Sends a message in the session, and returns any response. */
  readonly send: (method: string, params: object) => Promise<ApiResponse>
  /** Sends a message, and returns its result. */
  readonly ask: (method: string, params: object) => Promise<ApiResponse['body']>
  readonly call: (name: string, given: object) => Promise<Reply>
}

/** The result of a tool. */
export interface Reply {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
  readonly structuredContent: ApiResponse['body']
}

/** Starts a session with a token. `others` are headers of every request. */
export async function toolClient(
  server: TestServer,
  token: string,
  others: Readonly<Record<string, string>> = {}
): Promise<ToolClient> {
  let last = 0
  const post = (method: string, params: object, session: Readonly<Record<string, string>>) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...others,
      ...session
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++last, method, params })
    return send(server, { method: 'POST', path: '/mcp', headers, body })
  }
  const clientInfo = { name: 'test-assistant', version: '1.0.0' }
  const begun = await post('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, {})
  expect(begun.status).toBe(200)
  const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) }
  const ask: ToolClient['ask'] = async (method, params) => {
    const { status, body } = await post(method, params, session)
    expect(status).toBe(200)
    const [, data = ''] = /^data: (.*)$/m.exec(body) ?? []
    return JSON.parse(data).result
  }
  return {
    send: (method, params) => post(method, params, session),
    ask,
    call: (name, given) => ask('tools/call', { name, arguments: given })
  }
}
