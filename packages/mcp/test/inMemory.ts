import { Client as NewClient } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { createToolServer } from '../src/createToolServer.ts'
import type { Caller, Service } from '../src/service.ts'
import { createSession } from '../src/session.ts'
import { addCleanup } from './world.ts'

/** A client of a tool server that is not reached over anything. */
export async function connectInMemory(
  service: Service,
  tokens: Caller['tokens'],
  capabilities = {}
): Promise<NewClient> {
  const server = createToolServer(service, { id: 'local', tokens, session: createSession(true) })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(near)
  const client = new NewClient({ name: 'test-assistant', version: '1.0.0' }, { capabilities })
  await client.connect(far)
  addCleanup(() => client.close())
  return client
}
