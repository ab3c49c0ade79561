import { type McpServer, ProtocolError, type ServerContext } from '@modelcontextprotocol/server'
import { messageOf } from './answers/failure.ts'
import { assistantIn } from './api/connection.ts'
import type { Caller, Service } from './service.ts'

type Handler = (request: { readonly params?: unknown }, context: ServerContext) => Promise<unknown>

/**
 * Has every request logged whose handler is set from now on. Of calls of tools, which log themselves, only those that reach
 * none. The SDK has no place of its own for this that does not take a server apart.
 */
export function logRequests(server: McpServer, { log, now }: Service, { id: caller }: Pick<Caller, 'id'>): void {
  const protocol = server.server
  const set: (method: string, handler: Handler) => void = protocol.setRequestHandler.bind(protocol)
  const logged = (method: string, handler: Handler): Handler => {
    const tell = told.has(method) ? log.info : log.debug
    return async (request, context) => {
      const begun = now()
      const details = () => {
        return {
          method,
          ...subjectOf(method, request),
          caller,
          assistant: assistantIn({ server, context }),
          ms: now() - begun
        }
      }
      try {
        const answer = await handler(request, context)
        if (method !== TOOL) tell(details(), 'request answered')
        return answer
      } catch (error) {
        tell({ ...details(), errorMessage: messageOf(error) }, 'request failed')
        // What is none of these, nobody expected.
        if (!(error instanceof ProtocolError)) log.error({ ...details(), err: error }, 'request failed unexpectedly')
        throw error
      }
    }
  }
  Object.assign(protocol, {
    setRequestHandler: (method: string, handler: Handler) => set(method, logged(method, handler))
  })
}

const TOOL = 'tools/call'

/** What is told without being asked for; the rest are lists, and what is asked for while somebody types. */
const told = new Set([TOOL, 'resources/read', 'prompts/get'])

/** What a request is about. */
function subjectOf(method: string, { params }: Parameters<Handler>[0]): Readonly<Record<string, unknown>> {
  const { name, uri, ref } = Object(params)
  if (method === TOOL) return { tool: name }
  return { prompt: name ?? ref?.name, resource: uri ?? ref?.uri }
}
