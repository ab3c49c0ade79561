import { McpServer } from '@modelcontextprotocol/server'
import { scopeChallenge } from '../access/scopeChallenge.ts'
import { createConfirmationCodec } from '../confirmation/requestState.ts'
import type { Caller, McpServerContext } from '../connection/context.ts'
import { createInstructions } from '../definitions/instructions.ts'
import { toolDefinition } from '../definitions/toolDefinition.ts'
import { registerGuides } from '../guides/registerGuides.ts'
import { version } from '../packageRoot.ts'
import { enabledTools } from '../tools/enabledTools.ts'
import { explainUnknownTools } from './explainUnknownTools.ts'
import { logRequests } from './logRequests.ts'
import { runTool } from './runTool.ts'

/** Creates the MCP server of one connection or one stateless request: tools, guides and prompts. */
export function createMcpServer(context: McpServerContext, caller: Caller): McpServer {
  const { kind, settings } = context
  const states = createConfirmationCodec(context.confirmationKey, caller)
  const server = new McpServer(
    { name: `Burgee MCP ${kind} Server`, version },
    {
      // The server logs nothing to clients, but the official conformance suite sets a log level on every server.
      capabilities: { logging: {} },
      instructions: createInstructions(settings),
      requestState: { verify: states.verify },
      cacheHints
    }
  )
  logRequests(server, context, caller)
  const tools = enabledTools(settings)
  explainUnknownTools(server, tools)
  for (const tool of tools) {
    const definition = { ...toolDefinition(tool, settings), ...scopeChallenge(tool) }
    server.registerTool(tool.name, definition, (given, request) => {
      return runTool(tool, given, { context, caller, server, states, request })
    })
  }
  registerGuides(server, { context, caller }, tools)
  declareFixedLists(server)
  return server
}

/** Declares that lists never change. Otherwise, clients would subscribe to notifications that are never sent. */
function declareFixedLists({ server }: McpServer): void {
  const { tools, prompts, resources } = server.getCapabilities()
  const fixed = { listChanged: false }
  server.registerCapabilities({
    ...(tools && { tools: fixed }),
    ...(prompts && { prompts: fixed }),
    ...(resources && { resources: fixed })
  })
}

/** Lists are the same for every caller, and change only with a restart. */
const cacheable = { ttlMs: 300_000, cacheScope: 'public' } as const
const cacheHints = {
  'tools/list': cacheable,
  'prompts/list': cacheable,
  'resources/list': cacheable,
  'resources/templates/list': cacheable,
  'server/discover': cacheable
}
