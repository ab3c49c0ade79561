import { McpServer } from '@modelcontextprotocol/server'
import { requestStates } from './confirmation/requestStates.ts'
import { registerGuides } from './guides/registerGuides.ts'
import { challengeOf } from './http/challengeOf.ts'
import { declareFixedLists } from './listing/declareFixedLists.ts'
import { instructionsFor } from './listing/instructions.ts'
import { listingOf } from './listing/listing.ts'
import { logRequests } from './logRequests.ts'
import { offered } from './offered.ts'
import { version } from './packageRoot.ts'
import { runTool } from './runTool.ts'
import type { Caller, Service } from './service.ts'

/** The tools, guides and prompts for one connection, or for one request that stands alone. */
export function createToolServer(service: Service, caller: Caller): McpServer {
  const { kind, settings } = service
  const states = requestStates(service.confirmationKey, caller)
  const server = new McpServer(
    { name: `Burgee MCP ${kind} Server`, version },
    {
      // Nothing is logged to clients; the official conformance suite has each server take a level for it.
      capabilities: { logging: {} },
      instructions: instructionsFor(settings),
      requestState: { verify: states.verify },
      cacheHints
    }
  )
  logRequests(server, service, caller)
  const tools = offered(settings)
  for (const tool of tools) {
    const listing = { ...listingOf(tool, settings), ...challengeOf(tool) }
    server.registerTool(tool.name, listing, (given, context) => {
      return runTool(tool, given, { service, caller, server, states, context })
    })
  }
  registerGuides(server, { service, caller }, tools)
  declareFixedLists(server)
  return server
}

/** For how long a client may keep what there is: it is the same for everybody, and changes only with a start. */
const listed = { ttlMs: 300_000, cacheScope: 'public' } as const
const cacheHints = {
  'tools/list': listed,
  'prompts/list': listed,
  'resources/list': listed,
  'resources/templates/list': listed,
  'server/discover': listed
}
