import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { InMemoryTransport } from '@modelcontextprotocol/server'
import { addCleanup } from './context.ts'

/** The program that connects: which generation of the SDK it is made with, what it speaks, and whether it can ask the person. */
export interface Program {
  readonly generation: 'first' | 'second'
  /** What the second generation negotiates; the first knows the older revisions alone. */
  readonly mode?: 'legacy' | 'auto' | 'pinned'
  readonly canElicit?: boolean
}

/** Where a tool server is: a command to run, an address and the token to bring, or the other end of something. */
export type Place =
  | { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> }
  | { readonly url: string; readonly token: string }
  | { readonly transport: InMemoryTransport }

/** A connected client, whichever SDK it is made with. */
export interface Connection {
  readonly program: Program
  readonly list: () => Promise<readonly Listed[]>
  readonly call: (name: string, given?: object) => Promise<Called>
  readonly person: Person
  /** The revision of the protocol that is spoken. */
  readonly revision: () => string | undefined
  readonly close: () => Promise<void>
}

/** A tool as clients are told of it. */
export interface Listed {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: Schema
  readonly outputSchema?: Schema | undefined
  readonly annotations?: object | undefined
}

/** A JSON Schema. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** What a tool answered, as it came. */
export interface Called {
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
}

/** Who sits before the program: what they were asked, and what they say. */
export interface Person {
  readonly asked: Question[]
  says: (question: Question) => Said | Promise<Said>
}

/** A form that the person sees. */
export interface Question {
  readonly message: string
  readonly requestedSchema: {
    readonly properties: Readonly<Record<string, unknown>>
    readonly required?: readonly string[]
  }
}

/** What they say. */
export type Said = {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Record<string, string | boolean>
}

/** What the program calls itself. */
export const assistant = { name: 'test-assistant', version: '1.0.0' }

/** Connects a program to a tool server, until the tests of this file are over. */
export async function connect(program: Program, place: Place): Promise<Connection> {
  const person: Person = { asked: [], says: () => ({ action: 'cancel' }) }
  const client = await (program.generation === 'first' ? connectOld : connectNew)(program, place, person)
  const connection = { ...client, program, person }
  addCleanup(connection.close)
  return connection
}

type Wire = Pick<Connection, 'list' | 'call' | 'revision' | 'close'>

async function connectOld({ canElicit = false }: Program, place: Place, person: Person): Promise<Wire> {
  const client = new OldClient(assistant, { capabilities: canElicit ? { elicitation: {} } : {} })
  if (canElicit) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(person, params))
  const transport = oldTransport(place)
  let revision: string | undefined
  const tell = transport.setProtocolVersion?.bind(transport)
  // Nothing else tells which revision this generation came to.
  transport.setProtocolVersion = (version) => {
    revision = version
    tell?.(version)
  }
  await client.connect(transport)
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, given) => (await client.callTool({ name, ...argumentsOf(given) })) as Called,
    revision: () => revision,
    close: () => client.close()
  }
}

async function connectNew({ canElicit = false, mode = 'auto' }: Program, place: Place, person: Person): Promise<Wire> {
  const client = new NewClient(assistant, {
    capabilities: canElicit ? { elicitation: { form: {} } } : {},
    versionNegotiation: { mode: mode === 'pinned' ? { pin: '2026-07-28' } : mode }
  })
  if (canElicit) client.setRequestHandler('elicitation/create', ({ params }) => answer(person, params))
  await client.connect(newTransport(place))
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, given) => (await client.callTool({ name, ...argumentsOf(given) })) as Called,
    revision: () => client.getNegotiatedProtocolVersion(),
    close: () => client.close()
  }
}

function oldTransport(place: Place): Transport {
  // Both generations hand messages over in the same way; only their types differ.
  if ('transport' in place) return place.transport as Transport
  return 'url' in place ? new OldHttp(new URL(place.url), bearing(place)) : new OldStdio(processOf(place))
}

function newTransport(place: Place) {
  if ('transport' in place) return place.transport
  return 'url' in place ? new NewHttp(new URL(place.url), bearing(place)) : new NewStdio(processOf(place))
}

async function answer(person: Person, params: unknown): Promise<Said> {
  // The tool server asks with forms alone.
  const question = params as Question
  person.asked.push(question)
  return person.says(question)
}

function argumentsOf(given: object | undefined) {
  return given === undefined ? {} : { arguments: { ...given } }
}

function bearing({ token }: Extract<Place, { url: string }>) {
  return { requestInit: { headers: { authorization: `Bearer ${token}` } } }
}

function processOf({ command: [program = '', ...args], environment }: Extract<Place, { command: unknown }>) {
  return { command: program, args, env: { ...environment }, stderr: 'ignore' as const }
}
