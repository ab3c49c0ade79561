import { Client as NewClient } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import type { Caller, McpServerContext } from '../../src/connection/context.ts'
import { createSession } from '../../src/connection/session.ts'
import { createMcpServer } from '../../src/server/createMcpServer.ts'
import { addCleanup } from './context.ts'

/** Connects a client to a tool server in memory. */
export async function connectInMemory(
  service: McpServerContext,
  tokens: Caller['tokens'],
  capabilities = {}
): Promise<NewClient> {
  const server = createMcpServer(service, { id: 'local', tokens, session: createSession(true) })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(near)
  const client = new NewClient({ name: 'test-assistant', version: '1.0.0' }, { capabilities })
  await client.connect(far)
  addCleanup(() => client.close())
  return client
}
