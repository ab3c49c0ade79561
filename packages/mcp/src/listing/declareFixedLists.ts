import type { McpServer } from '@modelcontextprotocol/server'

/** Says of the lists that a server has that they stay as they are. Unsaid, clients would listen for changes that never come. */
export function declareFixedLists({ server }: McpServer): void {
  const { tools, prompts, resources } = server.getCapabilities()
  const fixed = { listChanged: false }
  server.registerCapabilities({
    ...(tools && { tools: fixed }),
    ...(prompts && { prompts: fixed }),
    ...(resources && { resources: fixed })
  })
}
