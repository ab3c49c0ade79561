import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { type Operation, type Operations, operations } from '@burgee/contract'
import { ErrorBody } from '@burgee/contract/schemas'
import { pino } from 'pino'
import { expect, inject, vi } from 'vitest'
import type { Options } from '../../server/src/cli/settings.ts'
import { type RunningServer, type ServerDependencies, startServer } from '../../server/src/server.ts'
import { openStore } from '../../server/src/storage/open/openStore.ts'
import { addCleanup } from './cleanup.ts'
// For what it declares: that `signingKey` can be injected.
import type {} from './globalSetup.ts'
import { fillStore, keyOf, NOW, type Plan } from './plan.ts'
import { temporaryDirectory } from './temporaryDirectory.ts'

/** A real server on a port of its own, filled as a plan says. */
export interface TestServer {
  readonly url: string
  readonly port: number
  /** The directory of its store. */
  readonly directory: string
  /** The clock of the server, and how often it was read; tests move it. With a `failure`, reading the time in a handler throws an error with this message. */
  readonly clock: { now: () => number; failure: string | undefined; reads: number }
  /** The credentials of the first administrator client, when the server made them up. */
  readonly administrator: RunningServer['administrator']
  /** Every line it logged. */
  readonly logs: readonly string[]
  readonly close: () => Promise<void>
}

/** An answer. Its body is JSON where it was, text otherwise, and `undefined` where there was none. */
export interface ApiResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any
}

/** The settings of a server under test. */
export const options: Options = {
  host: '127.0.0.1',
  port: 0,
  store: 'memory:',
  publicUrl: '',
  logLevel: 'silent',
  ofrepRateLimit: 0,
  eventsRateLimit: 0,
  eventsRetentionDays: 90,
  maxStreams: 10_000,
  trustedProxies: 0,
  adminClientId: 'test-admin',
  adminClientSecret: 'the-secret-of-the-tests',
  compatLegacyNames: false,
  dynamicRegistration: false,
  clientIdDocuments: false,
  oidcIssuer: '',
  oidcClientId: '',
  oidcClientSecret: '',
  oidcName: 'your organization',
  oidcGroupsClaim: 'groups',
  oidcScopes: 'openid profile email',
  otlpEndpoint: '',
  allowedPrivateTargets: [],
  mcp: false,
  mcpConfirm: 'always',
  mcpReadOnly: false,
  mcpCategories: [],
  mcpNoSdkKeys: false,
  mcpRateLimit: 0,
  dashboardUrl: '',
  toolServers: [],
  demo: false
}

/** A store on disk, filled as a plan says and closed. It signs, since this moment, with the key that all of them share: to make one takes long. */
export async function storeWith(plan: Plan, since = NOW): Promise<string> {
  const directory = await temporaryDirectory()
  const store = await openStore(`file:${directory}`)
  const createdAt = new Date(since).toISOString()
  const signingKey = { ...inject('signingKey'), createdAt, updatedAt: createdAt }
  await Promise.all([fillStore(store, plan), store.collection('signingKeys').insert(signingKey)])
  await store.close()
  return directory
}

/** Starts a server, at a moment and pace, on a store with this plan, or on the store in a directory. It is closed after the tests of this file. */
export async function serve(
  plan: Plan | string,
  overrides: Partial<Options> = {},
  time = NOW,
  streamTimings: ServerDependencies['streamTimings'] = {}
): Promise<TestServer> {
  const directory = typeof plan === 'string' ? plan : await storeWith(plan, time)
  const clock: TestServer['clock'] = { now: () => time, failure: undefined, reads: 0 }
  const now = () => {
    clock.reads += 1
    return clock.now()
  }
  const handlerNow = () => {
    if (clock.failure !== undefined) throw new Error(clock.failure)
    return clock.now()
  }
  const logs: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void logs.push(line) })
  const dependencies = { now, handlerNow, log, streamTimings, jobTimings: { clockMs: 20 } }
  const server = await startServer({ ...options, store: `file:${directory}`, ...overrides }, dependencies)
  addCleanup(server.close)
  const { url, administrator, close } = server
  return { url, port: Number(new URL(url).port), directory, clock, administrator, logs, close }
}

/** Makes the handlers of a server throw an error with this message when they read the time, until `restoreClock`. */
export function breakClock({ clock }: TestServer, message: string): void {
  clock.failure = message
}

/** Ends what `breakClock` began. */
export function restoreClock({ clock }: TestServer): void {
  clock.failure = undefined
}

/** Waits until the background jobs of a server have checked several times whether work is due. */
export async function jobsToCheck({ clock }: TestServer): Promise<void> {
  const enough = clock.reads + 12
  await vi.waitFor(() => expect(clock.reads).toBeGreaterThan(enough), { timeout: 10_000, interval: 10 })
}

/** What a call of an operation carries; the server key of `production` or the administrator's token unless `key` says otherwise. */
export interface Call {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Goes into the `Authorization` header; `null` leaves the header out. */
  readonly key?: string | null
}

/** Calls an operation of the contract, and holds the answer against the record: success and refusal alike. */
export async function call(server: TestServer, id: keyof Operations, input: Call = {}): Promise<ApiResponse> {
  const record: Operation = operations[id]
  const { key = record.credential.type === 'token' ? await tokenOf(server) : keyOf('server') } = input
  const path = record.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(input.params?.[name] ?? ''))
  const pairs = Object.entries(input.query ?? {}).flatMap(([name, value]) => {
    return [value].flat().map((one): [string, string] => [name, String(one)])
  })
  const query = new URLSearchParams(pairs).toString()
  const answer = await send(server, {
    method: record.method,
    path: query ? `${path}?${query}` : path,
    headers: {
      ...(key === null ? {} : { authorization: key }),
      ...(record.body ? { 'content-type': 'application/json' } : {}),
      ...input.headers
    },
    ...(record.body ? { body: JSON.stringify(input.body ?? {}) } : {})
  })
  expectContract(record, answer)
  return answer
}

const tokens = new WeakMap<TestServer, Promise<string>>()

/** An access token of the administrator, fetched once for each server. */
export function tokenOf(server: TestServer): Promise<string> {
  const token = tokens.get(server) ?? fetchToken(server)
  tokens.set(server, token)
  return token
}

async function fetchToken(server: TestServer): Promise<string> {
  const { body } = await send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: options.adminClientId,
      client_secret: options.adminClientSecret
    })
  })
  return body.access_token
}

/** Fails unless the answer is one that the operation's record allows. */
export function expectContract(record: Operation, { status, headers, body }: ApiResponse): void {
  if (status === 304 || status === record.noContent) {
    expect(body).toBeUndefined()
    return
  }
  if (status === record.status) {
    if (record.responseKind === 'lines') {
      expect(headers['content-type']).toMatch(/^application\/x-ndjson/)
      return
    }
    if (record.responseKind === 'stream') {
      expect(headers['content-type']).toMatch(/^text\/event-stream/)
      return
    }
    if (!record.response) {
      expect(body).toBeUndefined()
      return
    }
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(record.response.safeParse(body).error?.issues).toBeUndefined()
    if (record.responseKind === 'list') expect(headers.count).toMatch(/^\d+$/)
    return
  }
  expect(headers['content-type']).toMatch(/^application\/json/)
  const isManaged = record.credential.type === 'token'
  if (isManaged) expect(Object.keys(record.errors)).toContain(String(status))
  const schema = record.errors[status] ?? (record.tag === 'OFREP' ? record.errors[500] : ErrorBody)
  expect(schema?.safeParse(body).error?.issues).toBeUndefined()
  if (record.tag !== 'OFREP') expect(body.statusCode).toBe(status)
  expect(JSON.stringify(body)).not.toMatch(/node_modules|\.[jt]s:\d+|\bat \w+ \(/)
}

/** A request as it goes over the wire: nothing of it is normalised. */
export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
  /** Sends the body in chunks of unknown total length. */
  readonly isChunked?: boolean
  /** The address to come from; there are several on this computer. */
  readonly localAddress?: string
}

/** Sends a request whatever its form, and waits for the answer. */
export function send(
  { port }: Pick<TestServer, 'port'>,
  { method = 'GET', path, headers, body, isChunked, localAddress }: RawRequest
): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const length = body === undefined || isChunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...length, ...headers },
      agent: false,
      ...(localAddress === undefined ? {} : { localAddress })
    })
    let isAnswered = false
    request.on('response', async (response) => {
      isAnswered = true
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString('utf8')
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed(text) })
    })
    // A server that has answered may stop reading the rest of the body.
    request.on('error', (error) => (isAnswered ? undefined : reject(error)))
    if (isChunked) {
      request.flushHeaders()
      Readable.from(chunksOf(Buffer.from(body ?? ''))).pipe(request)
    } else request.end(body)
  })
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536)
}

/** Writes bytes to the server's port, and only then reads; answers what came back until the connection closed. */
export function sendBytes({ port }: Pick<TestServer, 'port'>, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').pause()
    socket.write(bytes, () => socket.resume())
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', (error) => (text ? resolve(text) : reject(error)))
    socket.on('close', () => resolve(text))
  })
}

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
