import { type McpServer, ProtocolError } from '@modelcontextprotocol/server'
import { assistantName } from '../api/clientInfo.ts'
import type { Caller, McpServerContext } from '../connection/context.ts'
import { messageOf } from '../results/toolFailure.ts'
import { type Handler, TOOL_CALL, wrapHandlers } from './wrapHandlers.ts'

/**
 * Logs requests to all handlers that are registered from now on. Tool calls log themselves, so only failures outside of
 * tools are logged for them.
 */
export function logRequests(
  server: McpServer,
  { log, now }: Pick<McpServerContext, 'log' | 'now'>,
  { id: caller }: Pick<Caller, 'id'>
): void {
  wrapHandlers(server, (method, handler) => {
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
  })
}

/** The methods that are logged at level info. The others are lists and completions, which are frequent. */
const loggedAtInfo = new Set([TOOL_CALL, 'resources/read', 'prompts/get'])

/** Returns the tool, prompt or resource of a request. */
function subjectOf(method: string, { params }: Parameters<Handler>[0]): Readonly<Record<string, unknown>> {
  const { name, uri, ref } = Object(params)
  if (method === TOOL_CALL) return { tool: name }
  return { prompt: name ?? ref?.name, resource: uri ?? ref?.uri }
}
