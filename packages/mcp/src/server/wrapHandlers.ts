import type { McpServer, ServerContext } from '@modelcontextprotocol/server'

/** Answers a request of one method. */
export type Handler = (request: { readonly params?: unknown }, context: ServerContext) => Promise<unknown>

/** The method of a tool call. */
export const TOOL_CALL = 'tools/call'

/**
 * Wraps all handlers that are registered from now on; a later wrapper runs inside an earlier one. The SDK has no hook for
 * this, so `setRequestHandler` is wrapped.
 */
export function wrapHandlers(
  { server: protocol }: McpServer,
  wrap: (method: string, handler: Handler) => Handler
): void {
  const set: (method: string, handler: Handler) => void = protocol.setRequestHandler.bind(protocol)
  Object.assign(protocol, {
    setRequestHandler: (method: string, handler: Handler) => set(method, wrap(method, handler))
  })
}
