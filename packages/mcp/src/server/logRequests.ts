import { type McpServer, ProtocolError, type ServerContext } from '@modelcontextprotocol/server'
import { assistantName } from '../api/clientInfo.ts'
import type { Caller, McpServerContext } from '../context.ts'
import { messageOf } from '../results/toolFailure.ts'

type Handler = (request: { readonly params?: unknown }, context: ServerContext) => Promise<unknown>

/**
 * Logs requests to all handlers that are registered from now on. Tool calls log themselves, so only failures outside of
 * tools are logged for them. The SDK has no hook for this, so `setRequestHandler` is wrapped.
 */
export function logRequests(
  server: McpServer,
  { log, now }: Pick<McpServerContext, 'log' | 'now'>,
  { id: caller }: Pick<Caller, 'id'>
): void {
  const protocol = server.server
  const set: (method: string, handler: Handler) => void = protocol.setRequestHandler.bind(protocol)
  const withLog = (method: string, handler: Handler): Handler => {
    const write = loggedAtInfo.has(method) ? log.info : log.debug
    return async (request, context) => {
      const startedAt = now()
      const details = () => {
        return {
          method,
          ...subjectOf(method, request),
          caller,
          assistant: assistantName({ server, request: context }),
          ms: now() - startedAt
        }
      }
      try {
        const result = await handler(request, context)
        if (method !== TOOL_CALL) write(details(), 'request answered')
        return result
      } catch (error) {
        write({ ...details(), errorMessage: messageOf(error) }, 'request failed')
        if (!(error instanceof ProtocolError)) log.error({ ...details(), err: error }, 'request failed unexpectedly')
        throw error
      }
    }
  }
  Object.assign(protocol, {
    setRequestHandler: (method: string, handler: Handler) => set(method, withLog(method, handler))
  })
}

const TOOL_CALL = 'tools/call'

/** The methods that are logged at level info. The others are lists and completions, which are frequent. */
const loggedAtInfo = new Set([TOOL_CALL, 'resources/read', 'prompts/get'])

/** Returns the tool, prompt or resource of a request. */
function subjectOf(method: string, { params }: Parameters<Handler>[0]): Readonly<Record<string, unknown>> {
  const { name, uri, ref } = Object(params)
  if (method === TOOL_CALL) return { tool: name }
  return { prompt: name ?? ref?.name, resource: uri ?? ref?.uri }
}
