import { InMemoryTransport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Caller, McpServerContext } from '../../src/connection/context.ts'
import { createSession } from '../../src/connection/session.ts'
import { createMcpServer } from '../../src/server/createMcpServer.ts'
import { connect as connectTo, type Question as Form, type Program, type Said } from '../server/connections.ts'
import { addCleanup } from '../support/context.ts'

export type { Form, Said }

/** The SDK version and protocol revision of the client. */
export type Era = 'first generation' | 'second generation' | '2026-07-28'

const programs: Readonly<Record<Era, Program>> = {
  'first generation': { generation: 'first' },
  'second generation': { generation: 'second', mode: 'legacy' },
  '2026-07-28': { generation: 'second', mode: 'pinned' }
}

/** All eras. */
export const eras = Object.keys(programs) as readonly Era[]

/** A client with its person: calls tools, and records the received forms. */
export interface Assistant {
  // biome-ignore lint/suspicious/noExplicitAny: results have many shapes.
  readonly call: (tool: string, args: object) => Promise<{ isError: boolean; data: any; text: string }>
  readonly asked: readonly Form[]
}

/** Connects a client in memory whose person gives this response to every form; without one, it cannot elicit. */
export async function connect(
  service: McpServerContext,
  caller: Pick<Caller, 'id' | 'tokens'>,
  era: Era,
  says?: (form: Form) => Said | Promise<Said>
): Promise<Assistant> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const served = serveStdio(() => createMcpServer(service, { ...caller, session: createSession(true) }), {
    transport: near
  })
  addCleanup(() => served.close())
  const { person, call } = await connectTo({ ...programs[era], canElicit: Boolean(says) }, { transport: far })
  if (says) person.says = says
  return {
    asked: person.asked,
    call: async (name, args) => {
      const { content, structuredContent, isError = false } = await call(name, args)
      return { isError, data: structuredContent, text: content[0]?.text ?? '' }
    }
  }
}
