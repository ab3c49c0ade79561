import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { InMemoryTransport } from '@modelcontextprotocol/server'
import { addCleanup } from '../support/context.ts'

/** A client program: the version of its SDK, its protocol revision, and whether it supports elicitation. */
export interface Program {
  readonly generation: 'first' | 'second'
  /** The revisions that version 2 of the SDK negotiates. Version 1 supports only the older ones. */
  readonly mode?: 'legacy' | 'auto' | 'pinned'
  readonly canElicit?: boolean
}

/** How to reach a tool server: a command, a URL with a token, or an in-memory transport. */
export type Place =
  | { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> }
  | { readonly url: string; readonly token: string }
  | { readonly transport: InMemoryTransport }

/** A connected client of either SDK version. */
export interface Connection {
  readonly program: Program
  readonly list: () => Promise<readonly Listed[]>
  readonly call: (name: string, given?: object) => Promise<Called>
  readonly person: Person
  /** The negotiated protocol revision. */
  readonly revision: () => string | undefined
  readonly close: () => Promise<void>
}

/** A tool as `tools/list` describes it. */
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

/** The raw result of a tool. */
export interface Called {
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
}

/** The person at the client: the received forms, and the responses. */
export interface Person {
  readonly asked: Question[]
  says: (question: Question) => Said | Promise<Said>
}

/** An elicitation form. */
export interface Question {
  readonly message: string
  readonly requestedSchema: {
    readonly properties: Readonly<Record<string, unknown>>
    readonly required?: readonly string[]
  }
}

/** The response to a form. */
export type Said = {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Record<string, string | boolean>
}

/** The client info. */
export const assistant = { name: 'test-assistant', version: '1.0.0' }

/** Connects a program to a tool server until the tests of this file end. */
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
  // Version 1 of the SDK exposes the negotiated revision only here.
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
  // The transports of both SDK versions are compatible; only their types differ.
  if ('transport' in place) return place.transport as Transport
  return 'url' in place ? new OldHttp(new URL(place.url), bearing(place)) : new OldStdio(processOf(place))
}

function newTransport(place: Place) {
  if ('transport' in place) return place.transport
  return 'url' in place ? new NewHttp(new URL(place.url), bearing(place)) : new NewStdio(processOf(place))
}

async function answer(person: Person, params: unknown): Promise<Said> {
  // The tool server elicits with forms only.
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
