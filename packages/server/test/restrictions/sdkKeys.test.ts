import { type Operation, type Operations, operations, type SdkKeyCredential } from '@burgee/contract'
import {
  type ApiResponse,
  type Call,
  call,
  expectContract,
  send,
  sendBytes,
  serve,
  type TestServer
} from '@burgee/testing/harness'
import { DAY, keyOf, NOW } from '@burgee/testing/plan'
import { afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { openEventStream, toggle, waitUntil } from '../support/events/eventStream.ts'

const params = { project: 'shop', environment: 'production' }
const HOUR = DAY / 24
const [near, far] = ['192.0.2.7', '198.51.100.1']
const [own, foreign] = ['https://shop.example', 'https://evil.example']
const at = (moment: number) => new Date(moment).toISOString()

let server: TestServer

/** The newest key of a type, generated with these restrictions. */
async function generate(type: 'server' | 'client' | 'mobile', restrictions: object = {}): Promise<string> {
  const { status, body } = await call(server, 'generateSdkKeys', { params, body: { [type]: true, ...restrictions } })
  expect([status, body.message]).toEqual([201, undefined])
  return body.sdkKeys[type].at(-1).key
}

function update(key: string, body: object, given: Call = {}): Promise<ApiResponse> {
  return call(server, 'updateSdkKey', { params: { ...params, key }, body, ...given })
}

beforeAll(async () => {
  server = await serve(
    { settings: { edgeDB: { enabled: true }, optIn: { enabled: true } }, features: [{ key: 'plain' }] },
    { trustedProxies: 1 }
  )
})

afterEach(() => {
  server.clock.now = () => NOW
})

type Keyed = Operation & { readonly id: keyof Operations; readonly credential: SdkKeyCredential }

const keyed = Object.values<Operation>(operations).filter((record): record is Keyed => {
  return record.credential.type === 'sdkKey'
})

/** Sends a request with a key, and with values for its parameters; streams as HEAD, which ends with the headers. */
async function ask(record: Keyed, key: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
  const { inPath } = record.credential
  const values: Record<string, string> = { key: inPath ? key : 'plain', user_id: 'ada' }
  const answer = await send(server, {
    method: record.responseKind === 'stream' ? 'HEAD' : record.method,
    path: record.path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? ''),
    headers: { ...(inPath ? {} : { authorization: key }), 'content-type': 'application/json', ...headers },
    ...(record.body ? { body: '{}' } : {})
  })
  if (record.responseKind !== 'stream' && answer.status >= 400) expectContract(record, answer)
  return answer
}

function messageOf({ body }: ApiResponse): string | undefined {
  return body?.message ?? body?.errorDetails
}

function expectRefused(record: Keyed, answer: ApiResponse, status: number, message: string): void {
  expect(answer.status).toBe(status)
  if (record.responseKind !== 'stream') expect(messageOf(answer)).toBe(message)
}

/** Invalid bodies are refused after the key was accepted. */
function expectAccepted({ status }: ApiResponse): void {
  expect([200, 201, 204, 304, 400, 404]).toContain(status)
}

describe('every operation with SDK keys', () => {
  const expiring = { server: '', client: '', mobile: '' }
  const limited = { server: '', client: '' }

  beforeAll(async () => {
    for (const type of ['server', 'client', 'mobile'] as const) {
      expiring[type] = await generate(type, { expiresAt: at(NOW + HOUR) })
    }
    limited.server = await generate('server', { allowedNetworks: ['192.0.2.0/24'] })
    limited.client = await generate('client', { allowedOrigins: [own] })
  })

  it.each(keyed)('$id refuses an expired key with the status of unknown keys', async (record) => {
    const key = expiring[record.credential.keyTypes[0] ?? 'server']
    expectAccepted(await ask(record, key))
    server.clock.now = () => NOW + HOUR
    const message = `the SDK key expired at ${at(NOW + HOUR)}; use another key of the environment`
    expectRefused(record, await ask(record, key), record.credential.inPath ? 403 : 401, message)
  })

  const forServers = keyed.filter(({ credential }) => credential.keyTypes.includes('server'))
  it.each(forServers)('$id accepts a server key from its networks only', async (record) => {
    const key = limited.server
    expectAccepted(await ask(record, key, { 'x-forwarded-for': near }))
    // Only the entry of the trusted proxy counts.
    const answer = await ask(record, key, { 'x-forwarded-for': `${near}, ${far}` })
    const message = `the SDK key is not accepted from the address ${far}: its allowedNetworks do not contain it`
    expectRefused(record, answer, 403, message)
  })

  const forClients = keyed.filter(({ credential }) => credential.keyTypes.includes('client'))
  it.each(forClients)('$id accepts a client key from its origins and without an origin', async (record) => {
    const key = limited.client
    expectAccepted(await ask(record, key))
    const accepted = await ask(record, key, { origin: own })
    expectAccepted(accepted)
    expect(accepted.headers).toMatchObject({ 'access-control-allow-origin': own })
    expect(accepted.headers.vary?.toLowerCase()).toContain('origin')
    const refused = await ask(record, key, { origin: foreign })
    const message = `the SDK key is not accepted from the origin "${foreign}": its allowedOrigins do not contain it`
    expectRefused(record, refused, 403, message)
    expect(refused.headers['access-control-allow-origin']).toBeUndefined()
    expect(refused.headers['access-control-allow-credentials']).toBeUndefined()
  })
})

describe('keys in the query and stream tokens', () => {
  it('obey the restrictions of their key', async () => {
    const key = await generate('client', { allowedOrigins: [own], expiresAt: at(NOW + HOUR) })
    const { body } = await call(server, 'ofrepEvaluateFlags', { key, body: { context: { targetingKey: 'ada' } } })
    const link = body.eventStreams[0].endpoint.requestUri
    for (const path of [link, `/event-stream?sdkKey=${key}`]) {
      const head = (origin: string) => send(server, { method: 'HEAD', path, headers: { origin } })
      expect([(await head(own)).status, (await head(foreign)).status]).toEqual([200, 403])
      server.clock.now = () => NOW + HOUR
      expect((await head(own)).status).toBe(401)
      server.clock.now = () => NOW
    }
  })
})

describe('open streams', () => {
  it('close when their key expires', async () => {
    const key = await generate('client', { expiresAt: at(NOW + HOUR) })
    const [ending, lasting] = [
      await openEventStream(server, `/event-stream?sdkKey=${key}`),
      await openEventStream(server, `/event-stream?sdkKey=${keyOf('client')}`)
    ]
    server.clock.now = () => NOW + HOUR
    await waitUntil(() => ending.isOver())
    expect(lasting.isOver()).toBe(false)
    lasting.hangUp()
  })

  it('follow a later expiry, and close when their origin or network is no longer allowed', async () => {
    const clientKey = await generate('client', { expiresAt: at(NOW + HOUR) })
    const serverKey = await generate('server')
    const path = (key: string) => `/event-stream?sdkKey=${key}`
    const fromOwn = await openEventStream(server, path(clientKey), { origin: own })
    const fromForeign = await openEventStream(server, path(clientKey), { origin: foreign })
    const fromFar = await openEventStream(server, path(serverKey), { 'x-forwarded-for': far })
    await update(serverKey, { allowedNetworks: ['192.0.2.0/24'] })
    await update(clientKey, { allowedOrigins: [own], expiresAt: at(NOW + 2 * HOUR) })
    await waitUntil(() => fromForeign.isOver() && fromFar.isOver())
    server.clock.now = () => NOW + HOUR
    const [first] = fromOwn.messages()
    await toggle(server, 'inactive')
    await waitUntil(() => fromOwn.messages().at(-1)?.id !== first?.id)
    expect(fromOwn.isOver()).toBe(false)
    fromOwn.hangUp()
  })
})

describe('updateSdkKey', () => {
  it('changes single restrictions, removes them with null, and leaves the others', async () => {
    const key = await generate('server')
    const restrictionsOf = ({ body }: ApiResponse) => {
      const { createdAt: _, compromised: __, compromised_url: ___, ...rest } = body.sdkKeys.server.at(-1)
      return rest
    }
    const set = await update(key, { expiresAt: '2026-04-01T02:00:00+02:00', allowedNetworks: ['::ffff:10.0.0.0/104'] })
    expect(restrictionsOf(set)).toEqual({ key, expiresAt: '2026-04-01T00:00:00.000Z', allowedNetworks: ['10.0.0.0/8'] })
    expect(restrictionsOf(await update(key, {}))).toEqual(restrictionsOf(set))
    const removed = await update(key, { allowedNetworks: null })
    expect(restrictionsOf(removed)).toEqual({ key, expiresAt: '2026-04-01T00:00:00.000Z' })
    const { body } = await call(server, 'listAuditEntries', { params: { project: 'shop' } })
    // The job that warns of expiring keys can have added an entry.
    const [newest] = body.filter(
      ({ changes: [change] }: { changes: { type: string }[] }) => change?.type === 'modifiedSdkKey'
    )
    expect(newest.changes).toEqual([
      {
        type: 'modifiedSdkKey',
        previousContents: { allowedNetworks: ['10.0.0.0/8'] },
        newContents: {},
        metadata: { type: 'server', key: `****${key.slice(-4)}` },
        _environments: [expect.any(String)]
      }
    ])
  })

  it('returns 404 for a key of another environment, masked', async () => {
    const { status, body } = await update(keyOf('server', 'staging'), { expiresAt: null })
    expect(status).toBe(404)
    expect(body.message).not.toContain(keyOf('server', 'staging'))
  })
})

describe('networks', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7/32', '192.0.2.8', false],
    ['192.0.2.0/31', '::ffff:192.0.2.1', true],
    ['::ffff:192.0.2.0/120', '192.0.2.200', true],
    ['2001:DB8:0::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/33', '2001:db8:8000::1', false],
    ['::/0', '192.0.2.1', false],
    ['0.0.0.0/0', '2001:db8::1', false]
  ])('%s and %s match: %s', async (network, address, isAllowed) => {
    const key = await generate('server', { allowedNetworks: [network] })
    const headers = { 'x-forwarded-for': address }
    const { status } = await call(server, 'evaluateVariables', { key, headers, body: { user_id: 'ada' } })
    expect(status).toBe(isAllowed ? 200 : 403)
  })
})

it('the address of a caller counts after more than 2,000 other headers', async () => {
  const key = await generate('server', { allowedNetworks: [near] })
  const statusBehind = async (count: number) => {
    const lines = [
      `GET /config/v2/server/${key}.json HTTP/1.1`,
      'host: x',
      'connection: close',
      ...Array(count).fill('a: 1')
    ]
    const text = await sendBytes(server, `${lines.join('\r\n')}\r\nx-forwarded-for: ${far}\r\n\r\n`)
    return text.slice(9, 12)
  }
  expect([await statusBehind(0), await statusBehind(2_100)]).toEqual(['403', '403'])
})

describe('origins', () => {
  test.each([
    ['https://*.shop.example', 'https://www.shop.example', true],
    ['https://*.shop.example', 'https://shop.example', false],
    ['https://*.shop.example', 'https://a.b.shop.example', false],
    ['https://*.shop.example', 'https://evilshop.example', false],
    ['https://*.shop.example', 'http://www.shop.example', false],
    ['https://*.shop.example', 'https://www.shop.example:8443', false],
    ['https://*.shop.example:8443', 'https://www.shop.example:8443', true],
    ['https://*.shop.example', 'https://evil.example#.shop.example', false],
    ['https://SHOP.example:443', 'https://shop.example', true],
    ['https://bücher.example', 'https://xn--bcher-kva.example', true],
    ['http://localhost:3000', 'http://localhost:3001', false],
    ['http://[::1]:3000', 'http://[::1]:3000', true],
    ['capacitor://localhost', 'capacitor://localhost', true],
    ['https://shop.example', 'null', false]
  ])('%s and %s match: %s', async (allowed, origin, isAllowed) => {
    const key = await generate('client', { allowedOrigins: [allowed] })
    const { status } = await call(server, 'ofrepEvaluateFlags', {
      key,
      headers: { origin },
      body: { context: { targetingKey: 'ada' } }
    })
    expect(status).toBe(isAllowed ? 200 : 403)
  })
})

describe('invalid restrictions', () => {
  const many = Array.from({ length: 51 }, (_, index) => `10.0.0.${index}`)
  const network = /^allowedNetworks\.0 should be an address or a network such as .+, got "/
  const origin = /^allowedOrigins\.0 should be an origin such as .+, got "/
  test.each<[object, RegExp]>([
    [{ server: true, expiresAt: at(NOW) }, /^expiresAt should be in the future, after .+, got "/],
    [{ server: true, expiresAt: 'tomorrow' }, /^expiresAt should be a date-time/],
    [{ server: true, allowedNetworks: [] }, /^allowedNetworks /],
    [{ server: true, allowedNetworks: many }, /^allowedNetworks /],
    [{ server: true, allowedNetworks: ['office'] }, network],
    [{ server: true, allowedNetworks: ['10.0.0.0/33'] }, network],
    [{ server: true, allowedNetworks: ['10.0.0.0/8/9'] }, network],
    [{ server: true, allowedNetworks: ['010.0.0.1'] }, network],
    [{ server: true, allowedNetworks: ['fe80::1%eth0'] }, network],
    [{ server: true, allowedNetworks: ['10.1.2.3/8'] }, /should be the first address of its network, 10\.0\.0\.0\/8/],
    [{ server: true, allowedNetworks: ['2001:db8::1/32'] }, /should be the first address .*2001:db8::\/32/],
    [{ client: true, allowedNetworks: ['10.0.0.1'] }, /^allowedNetworks should be for a server key, got a client key/],
    [{ mobile: true, server: true, allowedNetworks: ['10.0.0.1'] }, /for a server key, got a mobile key/],
    [{ server: true, allowedOrigins: [own] }, /^allowedOrigins should be for a client key, got a server key/],
    [{ mobile: true, allowedOrigins: [own] }, /for a client key, got a mobile key/],
    ...['shop.example', `${own}/`, `${own}/path`, `${own}?a`, 'https://a@shop.example', '*', 'null', 'https://*'].map(
      (text): [object, RegExp] => [{ client: true, allowedOrigins: [text] }, origin]
    ),
    ...['https://*.com', 'https://*.10.0.0.1', 'https://a.*.shop.example', 'https://*shop.example'].map(
      (text): [object, RegExp] => [{ client: true, allowedOrigins: [text] }, origin]
    ),
    [{ expiresAt: at(NOW + DAY) }, /should ask for a key of at least one type/]
  ])('%j is refused', async (body, says) => {
    const answer = await call(server, 'generateSdkKeys', { params, body })
    expect(answer.status).toBe(400)
    expect(answer.body.message.join()).toMatch(says)
  })
})

it('downloads of a restricted key are not for shared caches', async () => {
  const key = await generate('server', { allowedNetworks: ['127.0.0.1'] })
  const download = (sdkKey: string) => send(server, { path: `/config/v2/server/${sdkKey}.json` })
  expect((await download(key)).headers['cache-control']).toBe('private, max-age=0')
  expect((await download(keyOf('server'))).headers['cache-control']).toMatch(/^public/)
})

it('a bootstrap config names a client key that has not expired', async () => {
  const added = await generate('client', { expiresAt: at(NOW + HOUR) })
  const path = `/config/v2/server/bootstrap/${keyOf('server')}.json`
  expect((await send(server, { path })).body.clientSDKKey).toBe(added)
  server.clock.now = () => NOW + HOUR
  expect((await send(server, { path })).body.clientSDKKey).not.toBe(added)
})

it('the access log records refusals by network and origin, with environment and address', async () => {
  // The refusals of the other tests are counted together.
  server = await serve({}, { trustedProxies: 1 })
  const key = await generate('server', { allowedNetworks: ['192.0.2.0/24'] })
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  await call(server, 'evaluateVariables', { key, headers, body: { user_id: 'ada' } })
  const { body } = await call(server, 'listAccessLog', { query: { kind: 'sdkKey', address: '203.0.113.9' } })
  expect(body).toMatchObject([
    {
      kind: 'sdkKey',
      outcome: 'refused',
      reason: 'network_not_allowed',
      operation: 'evaluateVariables',
      address: '203.0.113.9',
      target: params
    }
  ])
  const clientKey = await generate('client', { allowedOrigins: [own] })
  await send(server, {
    method: 'POST',
    path: '/ofrep/v1/evaluate/flags',
    headers: { authorization: clientKey, origin: foreign, 'x-forwarded-for': '203.0.113.10' },
    body: '{}'
  })
  const { body: found } = await call(server, 'listAccessLog', { query: { kind: 'sdkKey', address: '203.0.113.10' } })
  expect(found).toMatchObject([{ reason: 'origin_not_allowed' }])
  expect(JSON.stringify([...body, ...found])).not.toContain(key)
})
