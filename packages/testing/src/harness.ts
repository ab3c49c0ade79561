// Long because every test of a server starts here: its options, its start, its clock, and typed and raw requests.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Operation, type Operations, operations } from '@burgee/contract'
import { ErrorBody } from '@burgee/contract/schemas'
import { pino } from 'pino'
import { expect, inject, vi } from 'vitest'
import type { Options } from '../../server/src/cli/options.ts'
import type { RunningServer, ServerDependencies } from '../../server/src/composition/runningServer.ts'
import { ensureOrganization } from '../../server/src/identity/organizations/ensureOrganization.ts'
import { createSecretHasher, type HashCost, hashRandomSecret } from '../../server/src/identity/secrets/secretHash.ts'
import { randomIdGenerator } from '../../server/src/lib/idGenerator.ts'
import { logOptions } from '../../server/src/lib/logger.ts'
import { startServer } from '../../server/src/server.ts'
import { newRecordFields } from '../../server/src/storage/newRecordFields.ts'
import { openStore } from '../../server/src/storage/open/openStore.ts'
import type { Store } from '../../server/src/storage/store.ts'
import { addCleanup, addCleanupOfTest } from './cleanup.ts'
import { fillStore, keyOf, NOW, type Plan } from './plan.ts'
import { temporaryDatabase } from './postgres/testDatabase.ts'
import { temporaryDirectory } from './temporaryDirectory.ts'
// Declares the type of the injected `signingKey`.
import type {} from './vitest/globalSetup.ts'

/** A real server on a free port, with the fixtures of a plan. */
export interface TestServer {
  readonly url: string
  readonly port: number
  /** The directory of its store, or the address of its database. */
  readonly directory: string
  /**
   * The clock of the server, which tests can set, and the number of its reads. With a `failure`, reading the time in a
   * handler throws an error with this message.
   */
  readonly clock: { now: () => number; failure: string | undefined; reads: number }
  /** The credentials of the first administrator client, if the server generated them. */
  readonly administrator: RunningServer['administrator']
  /** The keys of the demo project. */
  readonly demo?: RunningServer['demo']
  /** A link that signs in once, with a demo project and a dashboard. */
  readonly signInLink?: RunningServer['signInLink']
  /** The lines of its log. */
  readonly logs: readonly string[]
  readonly close: () => Promise<void>
}

/** A response. Its body is parsed if it is JSON, a string otherwise, and `undefined` if there is none. */
export interface ApiResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape.
  readonly body: any
}

/** Slow hashes would take a third of the time of the tests. */
const hashCost: HashCost = { log2N: 4, r: 8, p: 1 }

/** Hashes secrets as the servers under test do. */
export const hasher = createSecretHasher(hashCost, randomIdGenerator)

/** The settings of a server under test. */
export const options: Options = {
  host: '127.0.0.1',
  port: 0,
  shutdownNoticeSeconds: 1,
  workers: 1,
  store: 'memory:',
  storeConnections: 10,
  storePollMs: 1000,
  storeNotifications: 'on',
  cacheDirectory: './burgee-cache',
  edge: false,
  upstream: '',
  edgeKeys: [],
  edgeQueueMib: 16,
  backupHours: 0,
  backupCopies: 3,
  backupDirectory: '',
  encryptionKey: [],
  publicUrl: '',
  logLevel: 'silent',
  managementRateLimit: 0,
  ofrepRateLimit: 0,
  eventsRateLimit: 0,
  eventsRetentionDays: 90,
  expiryWarningDays: 14,
  accessRetentionDays: 90,
  accessLogOtlpEndpoint: '',
  auditAnchorKey: '',
  auditAnchorKeyFile: '',
  auditAnchorKeyCommand: '',
  auditAnchorUrl: '',
  userDataRateLimit: 0,
  maxStoredUsers: 0,
  userDataRetentionDays: 400,
  sampleUsers: 1000,
  maxStreams: 10_000,
  maxStreamsPerNetwork: 0,
  metricsPort: 0,
  metricsToken: '',
  trustedProxies: 0,
  adminClientId: 'test-admin',
  adminClientSecret: 'the-secret-of-the-tests',
  passwords: 'on',
  compatLegacyNames: false,
  dynamicRegistration: false,
  clientIdDocuments: false,
  oidcIssuer: '',
  oidcClientId: '',
  oidcClientSecret: '',
  oidcName: 'your organization',
  oidcGroupsClaim: 'groups',
  oidcExternalIdClaim: '',
  oidcScopes: 'openid profile email',
  oidcGraceHours: 12,
  otlpEndpoint: '',
  allowedPrivateTargets: [],
  mcp: false,
  mcpConfirm: 'always',
  mcpReadOnly: false,
  mcpCategories: [],
  mcpNoSdkKeys: false,
  mcpRateLimit: 0,
  dashboard: 'off',
  dashboardUrl: '',
  toolServers: [],
  workloadClockSkew: 60,
  demo: false
}

/**
 * Creates a store on disk with the fixtures of a plan, and closes it. Its signing key is shared by all stores, since
 * creating one takes long, and is dated `since`.
 */
export function storeWith(plan: Plan, since = NOW): Promise<string> {
  return createStore(plan, { since, hasAdministrator: false })
}

/** Creates a store as `storeWith` does, in a directory also where tests use databases: for tests of its files. */
export function storeOnDisk(plan: Plan, since = NOW): Promise<string> {
  return createStore(plan, { since, hasAdministrator: false, isOnDisk: true })
}

/** Whether the stores of tests are databases. */
const testsDatabase = process.env.TEST_STORE === 'postgres'

/** Returns the URL of a store, given its directory or its database. */
export function toStoreUrl(directory: string): string {
  return directory.startsWith('postgres:') ? directory : `file:${directory}`
}

interface Creation {
  readonly since: number
  readonly hasAdministrator: boolean
  readonly isOnDisk?: boolean
}

async function createStore(plan: Plan, given: Creation): Promise<string> {
  if (testsDatabase && !given.isOnDisk) {
    const url = await temporaryDatabase()
    await writeStore(url, plan, given)
    return url
  }
  const directory = await temporaryDirectory()
  const key = JSON.stringify([plan, given.since, given.hasAdministrator])
  const created = createdStores.get(key)
  if (created) {
    await Promise.all(created.map(({ path, bytes }) => writeFile(join(directory, path), bytes, { mode: 0o600 })))
    return directory
  }
  await writeStore(directory, plan, given)
  const files = await Promise.all(
    (await readdir(directory)).map(async (path) => ({ path, bytes: await readFile(join(directory, path)) }))
  )
  if (files.every(({ bytes }) => bytes.length < 65_536)) createdStores.set(key, files)
  return directory
}

/** The files of small stores by what they were created with: to write them takes a tenth of the time of a creation. */
const createdStores = new Map<string, readonly { readonly path: string; readonly bytes: Buffer }[]>()

async function writeStore(directory: string, plan: Plan, { since, hasAdministrator }: Creation): Promise<void> {
  const store = await openStore(toStoreUrl(directory))
  const createdAt = new Date(since).toISOString()
  const signingKey = { ...inject('signingKey'), createdAt, updatedAt: createdAt }
  await Promise.all([fillStore(store, plan), store.collection('signingKeys').insert(signingKey)])
  if (hasAdministrator) await addAdministrator(store, since)
  await store.close()
}

type Replaced = Pick<
  ServerDependencies,
  'streamTimings' | 'hashCost' | 'dashboardDirectory' | 'providerTimeoutMs' | 'warmUpMs'
>

/**
 * Starts a server at a time, on a store with this plan or on the store in a directory. The server is closed after the
 * test that started it, or after the tests of this file if it was started outside of a test: the jobs of idle servers
 * would take a sixth of the time of the tests.
 */
export async function serve(
  plan: Plan | string,
  overrides?: Partial<Options>,
  time?: number,
  replaced?: Replaced
): Promise<TestServer> {
  const server = await start(plan, overrides, time, replaced)
  addCleanupOfTest(server.close)
  return server
}

/** Starts a server as `serve` does, and closes it after the tests of this file: for a server of several tests. */
export async function serveShared(
  plan: Plan | string,
  overrides?: Partial<Options>,
  time?: number
): Promise<TestServer> {
  const server = await start(plan, overrides, time)
  addCleanup(server.close)
  return server
}

async function start(
  plan: Plan | string,
  overrides: Partial<Options> = {},
  time = NOW,
  replaced: Replaced = {}
): Promise<TestServer> {
  const hasAdministrator = overrides.adminClientId === undefined && overrides.adminClientSecret === undefined
  const directory = typeof plan === 'string' ? plan : await createStore(plan, { since: time, hasAdministrator })
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
  const log = pino({ ...logOptions, level: 'trace' }, { write: (line) => void logs.push(line) })
  const dependencies = { now, handlerNow, log, jobTimings: { clockMs: 20, anchorMs: 50 }, hashCost, ...replaced }
  // Servers with a database keep copies of the configs.
  const cacheDirectory = directory.startsWith('postgres:') ? await temporaryDirectory() : options.cacheDirectory
  const given = { ...options, store: toStoreUrl(directory), cacheDirectory, ...overrides }
  const server = await startServer(given, dependencies)
  const { url, administrator, demo, signInLink, close } = server
  return { url, port: Number(new URL(url).port), directory, clock, administrator, demo, signInLink, logs, close }
}

/**
 * Adds the administrator client of `options` with the hash of a generated secret, which is verified without a queue.
 */
async function addAdministrator(store: Store, since: number): Promise<void> {
  const { key } = await ensureOrganization(store, { now: () => since, ids: randomIdGenerator })
  await store.collection('clients').insert({
    ...newRecordFields(since, randomIdGenerator),
    _organization: key,
    clientId: options.adminClientId,
    name: 'Administrator',
    secretVerifier: hashRandomSecret(options.adminClientSecret),
    redirectUris: [],
    isAssistant: false,
    isDynamic: false
  })
}

/** Makes handlers throw an error with this message when they read the time, until `restoreClock`. */
export function breakClock({ clock }: TestServer, message: string): void {
  clock.failure = message
}

/** Reverts `breakClock`. */
export function restoreClock({ clock }: TestServer): void {
  clock.failure = undefined
}

/** Waits until the background jobs of a server have checked for due work several times. */
export async function jobsToCheck({ clock }: TestServer): Promise<void> {
  const target = clock.reads + 12
  await vi.waitFor(() => expect(clock.reads).toBeGreaterThan(target), { timeout: 20_000, interval: 10 })
}

/** The input of an operation. `key` defaults to the server key of `production` or the token of the administrator. */
export interface Call {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The value of the `Authorization` header; `null` omits the header. */
  readonly key?: string | null
}

/** Calls an operation of the contract, and checks the response, success or error, against its record. */
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
    ...(record.body ? { body: JSON.stringify(input.body ?? {}) } : {}),
    isStream: record.responseKind === 'stream'
  })
  expectContract(record, answer)
  return answer
}

const tokens = new WeakMap<TestServer, Promise<string>>()

/** Returns an access token of the administrator, requested once per server unless that fails. */
export function tokenOf(server: TestServer): Promise<string> {
  const token = tokens.get(server) ?? fetchToken(server)
  tokens.set(server, token)
  // A server that refused one can issue one later.
  token.catch(() => tokens.delete(server))
  return token
}

async function fetchToken(server: TestServer): Promise<string> {
  const { status, body } = await send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: options.adminClientId,
      client_secret: options.adminClientSecret
    })
  })
  if (status !== 200) throw new Error(`${status} instead of a token: ${JSON.stringify(body)}`)
  return body.access_token
}

/** Fails unless the record of the operation allows the response. */
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
  if (record.tag === 'OpenFeature manifest') expect(body.error.status).toBe(status)
  else if (record.tag !== 'OFREP') expect(body.statusCode).toBe(status)
  expect(JSON.stringify(body)).not.toMatch(/node_modules|\.[jt]s:\d+|\bat \w+ \(/)
}

/** An HTTP request that is sent without normalization. */
export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
  /** Sends the body in chunks of unknown total length. */
  readonly isChunked?: boolean
  /** Hangs up after the headers of a success, since the body of a stream does not end. */
  readonly isStream?: boolean
  /** The source address, one of the loopback network. */
  readonly localAddress?: string
}

/** Keeps connections: to open one for each request would take a quarter of its time. */
const agent = new Agent({ keepAlive: true })

/** Sends a request, valid or not, and returns the response. */
export function send(server: Pick<TestServer, 'port'>, request: RawRequest): Promise<ApiResponse> {
  return sendOn(agent, server, request)
}

function sendOn(
  connections: Agent | false,
  { port }: Pick<TestServer, 'port'>,
  given: RawRequest
): Promise<ApiResponse> {
  const { method = 'GET', path, headers, body, isChunked, isStream, localAddress } = given
  return new Promise((resolve, reject) => {
    const length = body === undefined || isChunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...length, ...headers },
      agent: connections,
      ...(localAddress === undefined ? {} : { localAddress })
    })
    let isAnswered = false
    request.on('response', async (response) => {
      isAnswered = true
      if (isStream && response.statusCode === 200) {
        request.destroy()
        resolve({ status: 200, headers: response.headers, body: '' })
        return
      }
      try {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parseBody(text) })
      } catch (error) {
        // The connection was cut in the middle of the body.
        reject(error)
      }
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      // A server that has answered may stop reading the rest of the body.
      if (isAnswered) return
      // A server may close a kept connection just when the next request is sent, which it has not read then.
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve(sendOn(false, { port }, given))
      else reject(error)
    })
    if (isChunked) {
      request.flushHeaders()
      Readable.from(chunksOf(Buffer.from(body ?? ''))).pipe(request)
    } else request.end(body)
  })
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536)
}

/** Writes bytes to the port of the server, then reads. Returns all received text once the connection is closed. */
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

function parseBody(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
