import { type ApiResponse, type Call, call, serve, type TestServer } from '@burgee/testing/harness'
import { runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { runs } from '@burgee/testing/scale'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openEventStream, waitUntil } from '../support/events/eventStream.ts'
import { createCounter, invalidateKey, parityOf, serveNumber } from './support/counterFlag.ts'

let url: string
let one: TestServer
/** Sees changes of the other server only when a request names them. */
let behind: TestServer
let keys: { readonly server: string; readonly client: string }
let value = 0

const publicUrl = 'http://flags.example.com'

/** Starts a server on the database. */
async function node(options: { storePollMs: number; storeNotifications: 'on' | 'off' }): Promise<TestServer> {
  const server = await serve(url, { ...options, publicUrl }, Date.now())
  server.clock.now = Date.now
  return server
}

const never = { storePollMs: 60_000, storeNotifications: 'off' } as const

beforeAll(async () => {
  url = await temporaryDatabase()
  one = await node({ storePollMs: 200, storeNotifications: 'on' })
  keys = await createCounter(one)
  behind = await node(never)
})

beforeEach(async () => {
  await serveNumber(one, ++value)
})

/** Evaluates all flags over OFREP. */
function evaluate(at: TestServer, input: Pick<Call, 'query' | 'headers'> = {}): Promise<ApiResponse> {
  return call(at, 'ofrepEvaluateFlags', { ...input, body: { context: { targetingKey: 'ada' } }, key: keys.client })
}

function numberIn({ body }: ApiResponse): number {
  const { value: number, variant } = body.flags.find(({ key }: { key: string }) => key === 'counter')
  expect(variant).toBe(parityOf(number))
  return number
}

/** Downloads the config document. */
function download(at: TestServer, headers: Readonly<Record<string, string>> = {}): Promise<ApiResponse> {
  return call(at, 'getServerConfig', { params: { key: keys.server }, headers, key: null })
}

/** Returns the current version at the server that makes the changes, as its streams announce it. */
async function announced(): Promise<{ readonly etag: string; readonly date: string }> {
  const { headers } = await download(one)
  return { etag: String(headers.etag), date: String(headers['last-modified']) }
}

/** Gets the config of a user as browsers do. */
function bucketed(query: Readonly<Record<string, string>>, etag?: unknown, at = behind): Promise<ApiResponse> {
  const user = { user_id: 'ada', sdkType: 'client', platform: 'JavaScript', platformVersion: '1', sdkVersion: '1' }
  const dates = { createdDate: '1', lastSeenDate: '1', deviceModel: 'test', isAnonymous: 'false', sdkKey: keys.client }
  const headers = etag === undefined ? {} : { 'if-none-match': String(etag) }
  return call(at, 'getClientConfig', { query: { ...user, ...dates, ...query }, headers, key: null })
}

describe('a server that is behind', () => {
  test('has the version that a request names', async () => {
    const seconds = ({ date }: { readonly date: string }) => Date.parse(date) / 1000
    const requests: readonly (() => Promise<number>)[] = [
      async () => numberIn(await evaluate(behind, { query: { flagConfigEtag: (await announced()).etag } })),
      async () => {
        const query = { flagConfigLastModified: seconds(await announced()) }
        return numberIn(await evaluate(behind, { query }))
      },
      async () => {
        const query = { flagConfigLastModified: new Date((await announced()).date).toISOString() }
        return numberIn(await evaluate(behind, { query }))
      },
      async () => (await bucketed({ sse: '1', sseEtag: (await announced()).etag })).body.variables.counter.value,
      async () => {
        const sseLastModified = String(seconds(await announced()) * 1000)
        return (await bucketed({ sse: '1', sseLastModified })).body.variables.counter.value
      },
      // A client may have evaluated at the other server before.
      async () => {
        const { headers } = await evaluate(one)
        expect((await evaluate(behind, { headers: { 'if-none-match': String(headers.etag) } })).status).toBe(304)
        return value
      }
    ]
    for (const request of requests) {
      await serveNumber(one, ++value)
      expect(numberIn(await evaluate(behind))).toBeLessThan(value)
      expect(await request()).toBe(value)
      expect(numberIn(await evaluate(behind))).toBe(value)
    }
  })

  test('responds with 304 to a download of the newer version', async () => {
    const { etag } = await announced()
    expect((await download(behind)).headers.etag).not.toBe(etag)
    expect((await download(behind, { 'if-none-match': etag })).status).toBe(304)
    await serveNumber(one, ++value)
    const { date } = await announced()
    expect((await download(behind, { 'if-modified-since': date })).status).toBe(304)
  })

  test('has the newest version for a download whose client has the one of this server', async () => {
    // Server SDKs do not name the version that a stream has announced, and a 304 ends their search for it.
    for (const name of ['etag', 'last-modified'] as const) {
      const { headers } = await download(behind)
      await serveNumber(one, ++value)
      const condition = { [name === 'etag' ? 'if-none-match' : 'if-modified-since']: String(headers[name]) }
      const newest = await download(behind, condition)
      expect([newest.status, newest.headers.etag]).toEqual([200, (await announced()).etag])
      const unchanged = await download(behind, { 'if-none-match': String(newest.headers.etag) })
      expect(unchanged.status).toBe(304)
    }
  })

  test('responds to a poll of the newer client config as the other server does, not with a cached fingerprint', async () => {
    const { etag: older } = (await bucketed({})).headers
    expect((await bucketed({}, older)).status).toBe(304)
    await serveNumber(one, ++value)
    const { etag: newer } = (await bucketed({}, older, one)).headers
    expect(newer).not.toBe(older)
    const unchanged = await bucketed({}, newer)
    expect([unchanged.status, unchanged.headers.etag]).toEqual([304, newer])
    expect((await bucketed({}, older)).body.variables.counter.value).toBe(value)
  })

  test('sends no older version to a client that reconnects its stream', async () => {
    const { etag } = await announced()
    const id = etag.replace(/^W\/"(.*)"$/, '$1')
    const stream = await openEventStream(behind, `/event-stream?sdkKey=${keys.server}`, { 'last-event-id': id })
    await waitUntil(() => stream.text() !== '')
    expect(new Set(stream.text().match(/(?<=^id: ).*/gm))).toEqual(new Set([id]))
    stream.hangUp()
  })

  test('has the same ETags as the other server for the same content and context', async () => {
    const etag = String((await evaluate(one)).headers.etag)
    expect((await evaluate(behind, { query: { flagConfigEtag: etag } })).headers.etag).toBe(etag)
    expect((await download(behind)).headers.etag).toBe((await download(one)).headers.etag)
  })

  test('responds with what it has to a request that names a version that does not exist', async () => {
    const [, environment] = (await announced()).etag.split('-')
    const query = { flagConfigEtag: `"99999999999-${environment}`, flagConfigLastModified: '99999999999' }
    const { headers } = await evaluate(one)
    const named = await evaluate(behind, { query, headers: { 'if-none-match': query.flagConfigEtag } })
    expect(named.status).toBe(200)
    expect(named.headers.etag).toBe(headers.etag)
  })

  test('refuses a key whose invalidation a request names', async () => {
    const { client } = keys
    const created = await call(one, 'generateSdkKeys', {
      params: { project: 'shop', environment: 'production' },
      body: { client: true }
    })
    expect(created.status).toBe(201)
    await invalidateKey(one, client)
    const named = await evaluate(behind, { query: { flagConfigEtag: (await announced()).etag } })
    expect(named.status).toBe(401)
    const { body } = await call(one, 'getEnvironment', { params: { project: 'shop', key: 'production' } })
    keys = { ...keys, client: body.sdkKeys.client.at(-1).key }
  })

  test('responds with 503 rather than an older version while the database is unavailable', async () => {
    const { etag } = await announced()
    const name = new URL(url).pathname.slice(1)
    await runOnServer(`alter database ${name} allow_connections false`)
    await runOnServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    try {
      expect((await evaluate(behind)).status).toBe(200)
      const { headers } = await download(behind)
      expect((await download(behind, { 'if-none-match': String(headers.etag) })).status).toBe(304)
      const named = await evaluate(behind, { query: { flagConfigEtag: etag } })
      expect(named.status).toBe(503)
      expect(named.headers['retry-after']).toBe('1')
    } finally {
      await runOnServer(`alter database ${name} allow_connections true`)
    }
    expect(numberIn(await evaluate(behind, { query: { flagConfigEtag: etag } }))).toBe(value)
  })
})

test('clients that stream from one server and fetch from another get valid configs, none behind the stream', async () => {
  const other = await node({ storePollMs: 200, storeNotifications: 'on' })
  const stream = await openEventStream(one, `/event-stream?sdkKey=${keys.server}`)
  const fetched: { readonly etag: string; readonly number: number; readonly newest: number }[] = []
  const numberOf = new Map([[(await announced()).etag, value]])
  let isOver = false
  await waitUntil(() => stream.messages().length > 0)
  const clients = [behind, other, behind, other].map(async (at) => {
    while (!isOver) {
      const { etag } = JSON.parse(stream.messages().at(-1)?.data.data)
      const response = await evaluate(at, { query: { flagConfigEtag: etag } })
      expect(response.status).toBe(200)
      fetched.push({ etag, number: numberIn(response), newest: value })
    }
  })
  for (let round = 0; round < CHANGES; round++) {
    await serveNumber(one, ++value)
    numberOf.set((await announced()).etag, value)
  }
  isOver = true
  await Promise.all(clients)
  const wrong = fetched.filter(({ etag, number, newest }) => number < (numberOf.get(etag) ?? 0) || number > newest)
  expect(wrong).toEqual([])
  expect(new Set(fetched.map(({ etag }) => numberOf.get(etag))).size).toBeGreaterThan(CHANGES / 4)
  expect(numberIn(await evaluate(other, { query: { flagConfigEtag: (await announced()).etag } }))).toBe(value)
})

const CHANGES = runs({ quick: 8, full: 40 })
