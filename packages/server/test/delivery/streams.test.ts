import { call, send, serve, type TestServer, tokenOf, toStoreUrl } from '@burgee/testing/harness'
import { idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { freePort } from '@burgee/testing/system/freePort'
import { decodeJwt, decodeProtectedHeader, importJWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'
import { openEventStream, toggle, waitUntil } from '../support/events/eventStream.ts'

const plan: Plan = { environments: { production: {}, staging: {} }, features: [{ key: 'plain' }] }
const HOUR = 3_600_000

/** The version of an environment's config after this many writes. */
function version(writes: number, environment = 'production') {
  const lastModified = NOW / 1000 + writes
  return { id: `${lastModified}-${idOf(environment)}`, lastModified }
}

/** The message to an SDK. */
function toSdk(writes: number) {
  const { id, lastModified } = version(writes)
  const message = { type: 'refetchConfig', etag: `W/"${id}"`, lastModified: lastModified * 1000 }
  return { id, data: { data: JSON.stringify(message) } }
}

/** The message to an OFREP client. */
function toOfrep(writes: number) {
  const { id, lastModified } = version(writes)
  return { id, data: { type: 'refetchEvaluation', etag: `W/"${id}"`, lastModified } }
}

/** The stream URL in a bulk evaluation. */
async function linkOf(server: TestServer, key = keyOf('client')): Promise<string> {
  const { body } = await call(server, 'ofrepEvaluateFlags', { key, body: { context: {} } })
  return body.eventStreams[0].endpoint.requestUri
}

async function metric(server: TestServer, name: string): Promise<number> {
  const { body } = await send(server, { path: '/metrics' })
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(body)?.[1])
}

describe('the stream of an SDK', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await serve(plan)
  })

  it('begins with the current version, byte by byte', async () => {
    const own = await serve(plan)
    const stream = await openEventStream(own)
    const { id, lastModified } = version(0)
    await waitUntil(() => stream.messages().length === 1)
    const inner = `{\\"type\\":\\"refetchConfig\\",\\"etag\\":\\"W/\\\\\\"${id}\\\\\\"\\",\\"lastModified\\":${lastModified}000}`
    expect(stream.text()).toMatch(/^retry: \d{4}\nid: /)
    expect(stream.text().replace(/^retry: \d+\n/, '')).toBe(`id: ${id}\n\nid: ${id}\ndata: {"data":"${inner}"}\n\n`)
  })

  it('has headers that prevent buffering', async () => {
    const { status, headers } = await openEventStream(server, undefined, { 'accept-encoding': 'gzip, br' })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': expect.anything()
    })
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers['content-length']).toBeUndefined()
  })

  test.each(['server', 'client', 'mobile'] as const)(
    'accepts a %s key, in the query and in the header',
    async (type) => {
      const inQuery = await openEventStream(server, `/event-stream?sdkKey=${keyOf(type)}`)
      const inHeader = await openEventStream(server, '/event-stream', { authorization: `Bearer ${keyOf(type)}` })
      await waitUntil(() => inQuery.messages().length === 1 && inHeader.messages().length === 1)
      expect(inQuery.messages()).toEqual(inHeader.messages())
    }
  )

  test.each([
    ['no key', '/event-stream', {}],
    ['an unknown key', '/event-stream?sdkKey=server-unknown', {}],
    ['an empty token', '/event-stream?token=', {}],
    ['a key as token', `/event-stream?token=${keyOf('server')}`, {}],
    ['a key in X-API-Key', '/event-stream', { 'x-api-key': keyOf('server') }]
  ])('returns 401 to %s', async (_, path, headers) => {
    const { status, body } = await send(server, { path, headers })
    expect(status).toBe(401)
    expect(body).toEqual({ statusCode: 401, message: expect.stringMatching(/key|token/) })
    expect(body.message).not.toContain(keyOf('server'))
  })

  test.each(['sdkKey=a&sdkKey=b', 'token=a&token=b', `sdkKey=${keyOf('server')}&since=a&since=b`])(
    'returns 400 to ?%s',
    async (query) => {
      expect((await send(server, { path: `/event-stream?${query}` })).status).toBe(400)
    }
  )

  it('sends each change with its id, and no change of another environment', async () => {
    const own = await serve(plan)
    const stream = await openEventStream(own)
    await waitUntil(() => stream.messages().length === 1)
    await toggle(own, 'inactive', 'staging')
    await toggle(own, 'inactive')
    await waitUntil(() => stream.messages().length === 2)
    await toggle(own, 'active', 'staging')
    await toggle(own, 'active')
    await waitUntil(() => stream.messages().length === 3)
    expect(stream.messages()).toEqual([toSdk(0), toSdk(1), toSdk(2)])
  })

  it('answers HEAD without opening a stream', async () => {
    const own = await serve(plan)
    const { status, headers, body } = await send(own, {
      method: 'HEAD',
      path: `/event-stream?sdkKey=${keyOf('server')}`
    })
    expect([status, headers['content-type'], body]).toEqual([200, 'text/event-stream; charset=utf-8', undefined])
    expect(await metric(own, 'burgee_streams')).toBe(0)
  })

  it.each(['*/*', 'application/json', 'text/event-stream'])('ignores the Accept header: %s', async (accept) => {
    const stream = await openEventStream(server, undefined, { accept })
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    await waitUntil(() => stream.messages().length === 1)
  })

  it('is counted while it is open, and its duration measured when it starts', async () => {
    const own = await serve(plan)
    const streams = [await openEventStream(own), await openEventStream(own)]
    await waitUntil(() => streams.every((stream) => stream.messages().length === 1))
    expect(await metric(own, 'burgee_streams')).toBe(2)
    expect(await metric(own, 'burgee_stream_messages_total')).toBe(2)
    const { body } = await send(own, { path: '/metrics' })
    expect(body).toMatch(
      /burgee_http_request_duration_seconds_count\{operation="streamEvents",method="GET",status="200"\} 2/
    )
    const logged = own.logs.map((line) => JSON.parse(line)).filter(({ operation }) => operation === 'streamEvents')
    expect(logged.map(({ status }) => status)).toEqual([200, 200])
    streams[0]?.hangUp()
    await expect.poll(() => metric(own, 'burgee_streams')).toBe(1)
    // The reader that hung up receives nothing; the other one does.
    await toggle(own, 'inactive')
    await waitUntil(() => streams[1]?.messages().length === 2)
    expect(await metric(own, 'burgee_stream_messages_total')).toBe(3)
  })

  it('logs neither the key nor the token', async () => {
    const own = await serve(plan)
    const link = await linkOf(own)
    await openEventStream(own)
    await openEventStream(own, link)
    await waitUntil(() => own.logs.filter((line) => line.includes('"streamEvents"')).length === 2)
    for (const secret of [keyOf('server'), new URLSearchParams(link.split('?')[1]).get('token') ?? 'none']) {
      expect(own.logs.join('')).not.toContain(secret)
    }
  })
})

describe('the stream of an OFREP client', () => {
  it('sends changes since the evaluation that announced it, byte by byte', async () => {
    const server = await serve(plan)
    const stream = await openEventStream(server, await linkOf(server))
    await toggle(server, 'inactive')
    await waitUntil(() => stream.messages().length === 1)
    const { id, lastModified } = version(1)
    expect(stream.text().replace(/^retry: \d+\n/, '')).toBe(
      `id: ${version(0).id}\n\nid: ${id}\ndata: {"type":"refetchEvaluation","etag":"W/\\"${id}\\"","lastModified":${lastModified}}\n\n`
    )
  })

  it('sends a change between the evaluation and the connection at once', async () => {
    const server = await serve(plan)
    const link = await linkOf(server)
    await toggle(server, 'inactive')
    const stream = await openEventStream(server, link)
    await waitUntil(() => stream.messages().length === 1)
    expect(stream.messages()).toEqual([toOfrep(1)])
  })

  test.each([
    ['nothing when it knows the present version', () => version(1).id, []],
    ['to fetch again when it knows an older one', () => version(0).id, [toOfrep(1)]],
    ['to fetch again when it knows one that never was', () => 'x', [toOfrep(1)]]
  ])('sends %s by Last-Event-ID', async (_, id, expected) => {
    const server = await serve(plan)
    const link = await linkOf(server)
    await toggle(server, 'inactive')
    const stream = await openEventStream(server, link, { 'last-event-id': id() })
    await waitUntil(() => stream.text().includes('\n\n'))
    await toggle(server, 'active')
    await waitUntil(() => stream.messages().length === expected.length + 1)
    expect(stream.messages()).toEqual([...expected, toOfrep(2)])
  })

  it('sends missed changes after a restart', async () => {
    const before = await serve(plan, { publicUrl: 'http://flags.example' })
    const { body } = await call(before, 'ofrepEvaluateFlags', { key: keyOf('client'), body: { context: {} } })
    const { pathname, search } = new URL(body.eventStreams[0].url)
    const stream = await openEventStream(before, pathname + search)
    await toggle(before, 'inactive')
    await waitUntil(() => stream.messages().length === 1)
    const [{ id = '' } = {}] = stream.messages()
    await before.close()
    await waitUntil(() => stream.isOver())

    const after = await serve(before.directory, { publicUrl: 'http://flags.example' })
    const unchanged = await openEventStream(after, pathname + search, { 'last-event-id': id })
    await waitUntil(() => unchanged.text().includes('\n\n'))
    await toggle(after, 'active')
    const behind = await openEventStream(after, pathname + search, { 'last-event-id': id })
    await waitUntil(() => unchanged.messages().length === 1 && behind.messages().length === 1)
    expect([unchanged.messages(), behind.messages()]).toEqual([[toOfrep(2)], [toOfrep(2)]])
  })
})

describe('the stream address in a bulk evaluation', () => {
  it('is absolute if a public URL is set, and a path otherwise', async () => {
    const [named, unnamed] = [await serve(plan, { publicUrl: 'https://flags.example/base/' }), await serve(plan)]
    const ask = { key: keyOf('client'), body: { context: {} } }
    const { eventStreams: urls } = (await call(named, 'ofrepEvaluateFlags', ask)).body
    expect(urls).toEqual([{ type: 'sse', url: expect.any(String), inactivityDelaySec: 120 }])
    expect(urls[0].url).toMatch(/^https:\/\/flags\.example\/base\/event-stream\?token=[\w.-]+&since=\d+-[0-9a-f]{24}$/)
    const { eventStreams: addresses } = (await call(unnamed, 'ofrepEvaluateFlags', ask)).body
    expect(addresses).toEqual([
      {
        type: 'sse',
        endpoint: { requestUri: expect.stringMatching(/^\/event-stream\?token=/) },
        inactivityDelaySec: 120
      }
    ])
  })

  it('has the same token in every response for an hour, and neither the key nor a permission in it', async () => {
    const server = await serve(plan)
    const links = [await linkOf(server), await linkOf(server)]
    expect(links[0]).toBe(links[1])
    const token = new URLSearchParams(links[0]?.split('?')[1]).get('token') ?? ''
    expect(Object.keys(decodeJwt(token)).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'key'])
    expect(JSON.stringify(decodeJwt(token))).not.toContain(keyOf('client'))
    server.clock.now = () => NOW + HOUR
    expect(await linkOf(server)).not.toBe(links[0])
    expect(await linkOf(server, keyOf('server'))).not.toBe(await linkOf(server))
  })

  it('changes the ETag once an hour, so that no client keeps an expired token', async () => {
    const server = await serve(plan)
    const ask = { key: keyOf('client'), body: { context: {} } }
    const { etag = '' } = (await call(server, 'ofrepEvaluateFlags', ask)).headers
    const statusAt = async (moment: number, query: Record<string, string> = {}) => {
      server.clock.now = () => moment
      return (await call(server, 'ofrepEvaluateFlags', { ...ask, query, headers: { 'if-none-match': etag } })).status
    }
    expect([await statusAt(NOW), await statusAt(NOW + HOUR - 1), await statusAt(NOW + HOUR)]).toEqual([304, 304, 200])
    // The messages that a client received make no difference.
    expect(await statusAt(NOW, { flagConfigEtag: 'other', flagConfigLastModified: '1' })).toBe(304)
    expect(await statusAt(NOW + HOUR, { flagConfigEtag: etag, flagConfigLastModified: '1' })).toBe(200)
  })
})

it('the ETag of bulk evaluations changes with anything that invalidates former tokens', async () => {
  const ask = { key: keyOf('client'), body: { context: {} } }
  const before = await serve(plan, { publicUrl: 'https://flags.example' })
  const { etag = '' } = (await call(before, 'ofrepEvaluateFlags', ask)).headers
  const statusAt = async (server: TestServer) =>
    (await call(server, 'ofrepEvaluateFlags', { ...ask, headers: { 'if-none-match': etag } })).status
  await before.close()
  const same = await serve(before.directory, { publicUrl: 'https://flags.example' })
  expect(await statusAt(same)).toBe(304)
  await same.close()
  expect(await statusAt(await serve(before.directory, { publicUrl: 'https://moved.example' }))).toBe(200)
})

describe('a stream token', () => {
  let server: TestServer
  let token: string
  const open = (given: string, headers = {}) => send(server, { path: `/event-stream?token=${given}`, headers })

  beforeAll(async () => {
    server = await serve(plan)
    token = new URLSearchParams((await linkOf(server)).split('?')[1]).get('token') ?? ''
  })

  it('opens a stream until it expires, and a day longer for reconnections', async () => {
    const expiry = Number(decodeJwt(token).exp) * 1000
    expect(expiry - NOW).toBeGreaterThan(HOUR)
    expect(expiry - NOW).toBeLessThanOrEqual(2 * HOUR)
    const statusAt = async (moment: number, headers: Record<string, string> = {}) => {
      server.clock.now = () => moment
      const answer = await send(server, { method: 'HEAD', path: `/event-stream?token=${token}`, headers })
      return answer.status
    }
    const back = { 'last-event-id': 'x' }
    expect([await statusAt(expiry - 1000), await statusAt(expiry + 1000)]).toEqual([200, 401])
    expect([await statusAt(expiry + 1000, back), await statusAt(expiry + 23 * HOUR, back)]).toEqual([200, 200])
    expect(await statusAt(expiry + 25 * HOUR, back)).toBe(401)
    server.clock.now = () => NOW
  })

  it('is refused with a message about its expiry', async () => {
    server.clock.now = () => NOW + 3 * HOUR
    expect((await open(token)).body).toEqual({ statusCode: 401, message: 'jwt expired' })
    server.clock.now = () => NOW
  })

  it('is refused after a change of any of its parts', async () => {
    const [header = '', payload = '', signature = ''] = token.split('.')
    const claims = Buffer.from(JSON.stringify({ ...decodeJwt(token), exp: 9_999_999_999 })).toString('base64url')
    const none = Buffer.from(JSON.stringify({ ...decodeProtectedHeader(token), alg: 'none' })).toString('base64url')
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
    const forged = [
      `${header}.${claims}.${signature}`,
      `${none}.${payload}.`,
      `${header}.${payload}.${flipped}`,
      `${header}.${payload}`,
      `${token}x`
    ]
    for (const one of forged) expect((await open(one)).status, one).toBe(401)
  })

  it('is not an access token, and vice versa', async () => {
    const access = await tokenOf(server)
    const refused = await open(access)
    expect([refused.status, refused.body.message]).toEqual([401, expect.stringMatching(/not valid/)])
    const { status } = await call(server, 'listProjects', { key: token })
    expect(status).toBe(401)
    expect((await call(server, 'evaluateVariables', { key: token, body: { user_id: 'ada' } })).status).toBe(401)
  })

  test.each([
    ['type', { typ: 'at+jwt' }],
    ['audience', { aud: '' }],
    ['issuer', { iss: 'https://elsewhere.example/' }],
    ['key', { key: 7 }],
    ['expiry', { exp: undefined }]
  ] as const)('is refused with the wrong %s, even if the server has signed it', async (_, wrong) => {
    const own = await serve(plan, { port: await freePort() })
    const link = new URLSearchParams((await linkOf(own)).split('?')[1]).get('token') ?? ''
    await own.close()
    const store = await openStore(toStoreUrl(own.directory))
    const { items } = await store.collection('signingKeys').list()
    await store.close()
    const [signingKey] = items
    const { typ = 'burgee-stream+jwt', ...claims } = { typ: undefined, ...wrong }
    // The server listens at the same URL again, so that only the tested part is wrong.
    const again = await serve(own.directory, { port: own.port })
    const sign = async (type: string, payload: object) =>
      new SignJWT({ ...decodeJwt(link), ...payload })
        .setProtectedHeader({ alg: 'RS256', typ: type, kid: signingKey?.kid ?? '' })
        .sign(await importJWK({ ...signingKey?.privateJwk, kty: 'RSA' }, 'RS256'))
    const statusOf = async (given: string) =>
      (await send(again, { method: 'HEAD', path: `/event-stream?token=${given}` })).status
    expect(await statusOf(await sign('burgee-stream+jwt', {}))).toBe(200)
    expect(await statusOf(await sign(typ, claims))).toBe(401)
  })
})

describe('an invalidated key', () => {
  const params = { project: 'shop', environment: 'production' }

  it('closes its streams and no others, and its token opens none', async () => {
    const server = await serve(plan)
    const { body } = await call(server, 'generateSdkKeys', { params, body: { client: true } })
    const added = body.sdkKeys.client
      .map((each: { key: string }) => each.key)
      .find((key: string) => key !== keyOf('client'))
    const link = await linkOf(server, added)
    const [withKey, withToken, other] = [
      await openEventStream(server, `/event-stream?sdkKey=${added}`),
      await openEventStream(server, link),
      await openEventStream(server, `/event-stream?sdkKey=${keyOf('client')}`)
    ]
    await waitUntil(() => other.messages().length === 1)
    await call(server, 'invalidateSdkKey', { params: { ...params, key: added } })
    await waitUntil(() => withKey.isOver() && withToken.isOver())
    expect(other.isOver()).toBe(false)
    expect((await send(server, { path: link, headers: { 'last-event-id': 'x' } })).status).toBe(401)
    await toggle(server, 'inactive')
    await waitUntil(() => other.messages().at(-1)?.id !== other.messages()[0]?.id)
  })

  it('is deleted with its environment, and so are its streams', async () => {
    const server = await serve(plan)
    const streams = [
      await openEventStream(server, `/event-stream?sdkKey=${keyOf('server', 'staging')}`),
      await openEventStream(server, await linkOf(server, keyOf('client', 'staging')))
    ]
    const other = await openEventStream(server)
    const { status } = await call(server, 'deleteEnvironment', { params: { project: 'shop', key: 'staging' } })
    expect(status).toBe(200)
    await waitUntil(() => streams.every((stream) => stream.isOver()))
    expect(other.isOver()).toBe(false)
  })
})

describe('the number of streams', () => {
  it('is limited, and OFREP announces none at the limit', async () => {
    const server = await serve(plan, { maxStreams: 2 })
    const ask = { key: keyOf('client'), body: { context: {} } }
    const before = await call(server, 'ofrepEvaluateFlags', ask)
    const [first] = [await openEventStream(server), await openEventStream(server)]
    const refused = await send(server, { path: `/event-stream?sdkKey=${keyOf('server')}` })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30'])
    expect(refused.body).toEqual({ statusCode: 503, message: expect.stringContaining('2 open streams') })
    const full = await call(server, 'ofrepEvaluateFlags', {
      ...ask,
      headers: { 'if-none-match': String(before.headers.etag) }
    })
    expect([full.status, full.body.eventStreams, full.body.flags]).toEqual([200, undefined, before.body.flags])

    first?.hangUp()
    await expect.poll(() => metric(server, 'burgee_streams')).toBe(1)
    expect((await openEventStream(server)).status).toBe(200)
  })

  it('leaves a fifth to server keys, however many are opened with public keys', async () => {
    const server = await serve(plan, { maxStreams: 5 })
    const pathFor = (type: 'client' | 'mobile') => `/event-stream?sdkKey=${keyOf(type)}`
    const ofrep = { body: { context: {} } }
    const [first] = await Promise.all(
      ['client', 'mobile', 'client', 'mobile'].map((type) =>
        openEventStream(server, pathFor(type as 'client' | 'mobile'))
      )
    )
    expect(await metric(server, 'burgee_streams')).toBe(4)
    for (const type of ['client', 'mobile'] as const) {
      const refused = await send(server, { path: pathFor(type) })
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30'])
      expect(refused.body.message).toMatch(/4 open streams with client and mobile keys.*server keys/)
      const { body } = await call(server, 'ofrepEvaluateFlags', { ...ofrep, key: keyOf(type) })
      expect(body.eventStreams).toBeUndefined()
    }
    const { body } = await call(server, 'ofrepEvaluateFlags', { ...ofrep, key: keyOf('server') })
    expect(body.eventStreams).toHaveLength(1)
    expect((await openEventStream(server)).status).toBe(200)
    expect((await send(server, { path: `/event-stream?sdkKey=${keyOf('server')}` })).status).toBe(503)
    first?.hangUp()
    await expect.poll(() => metric(server, 'burgee_streams')).toBe(4)
    expect((await openEventStream(server, pathFor('mobile'))).status).toBe(200)
  })

  it('is limited for public keys of one network, an IPv4 address or an IPv6 /64', async () => {
    const server = await serve(plan, { maxStreamsPerNetwork: 2, trustedProxies: 1 })
    const path = `/event-stream?sdkKey=${keyOf('client')}`
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const addresses = ['2001:db8:0:1::1', '2001:db8:0:1::2', '192.0.2.1', '192.0.2.1']
    const [first] = await Promise.all(addresses.map((address) => openEventStream(server, path, from(address))))
    for (const address of ['2001:db8:0:1:ffff::9', '192.0.2.1', '::ffff:192.0.2.1']) {
      const { status, headers, body } = await send(server, { path, headers: from(address) })
      expect([status, headers['retry-after']]).toEqual([429, '30'])
      expect(headers['retry-later']).toBe(new Date(NOW + 30_000).toISOString())
      expect(body.message).toMatch(/^your network has 2 open streams with client and mobile keys/)
      const ask = { key: keyOf('client'), body: { context: {} }, headers: from(address) }
      expect((await call(server, 'ofrepEvaluateFlags', ask)).body.eventStreams).toBeUndefined()
    }
    // Other networks, and server keys, are not affected.
    expect((await openEventStream(server, path, from('2001:db8:0:2::1'))).status).toBe(200)
    expect((await openEventStream(server, undefined, from('192.0.2.1'))).status).toBe(200)
    first?.hangUp()
    await expect.poll(() => metric(server, 'burgee_streams')).toBe(5)
    expect((await openEventStream(server, path, from('2001:db8:0:1::3'))).status).toBe(200)
  })

  it('is available to server keys completely', async () => {
    const server = await serve(plan, { maxStreams: 5 })
    const opened = await Promise.all(Array.from({ length: 5 }, () => openEventStream(server)))
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  })
})

describe('a stop of the server', () => {
  it('ends every stream at once', async () => {
    const server = await serve(plan)
    const streams = await Promise.all(Array.from({ length: 20 }, () => openEventStream(server)))
    const begun = performance.now()
    await server.close()
    await waitUntil(() => streams.every((stream) => stream.isOver()))
    // Requests have eight seconds to finish before they are cut; these were ended.
    expect(performance.now() - begun).toBeLessThan(7_900)
  })
})

describe('the pace of a stream', () => {
  it('has keep-alive comments', async () => {
    const server = await serve(plan, {}, NOW, { streamTimings: { keepAliveMs: 30 } })
    const stream = await openEventStream(server)
    await waitUntil(() => /(\n\n:){3}/.test(stream.text()))
    expect(stream.messages()).toEqual([toSdk(0)])
  })

  it('has a maximum lifetime', async () => {
    const server = await serve(plan, {}, NOW, { streamTimings: { keepAliveMs: 15, lifetimeMs: 300 } })
    const stream = await openEventStream(server)
    await waitUntil(() => stream.isOver())
    expect(stream.text()).toMatch(/\n\n$/)
    expect(await metric(server, 'burgee_streams_dropped_total')).toBe(0)
  })

  it('spreads reconnections over time', async () => {
    const server = await serve(plan, {}, NOW, { streamTimings: { retryMs: 2_000 } })
    const streams = await Promise.all(Array.from({ length: 20 }, () => openEventStream(server)))
    await waitUntil(() => streams.every((stream) => stream.text() !== ''))
    const waits = streams.map((stream) => Number(/^retry: (\d+)\n/.exec(stream.text())?.[1]))
    for (const wait of waits) expect(wait >= 2_000 && wait <= 10_000, String(wait)).toBe(true)
    expect(new Set(waits).size).toBeGreaterThan(5)
  })

  it('sends to every reader, also beyond the burst and a slice', async () => {
    const server = await serve(plan, {}, NOW, { streamTimings: { burst: 5, perSecond: 400 } })
    const streams = await Promise.all(Array.from({ length: 130 }, () => openEventStream(server)))
    await waitUntil(() => streams.every((stream) => stream.messages().length === 1))
    await toggle(server, 'inactive')
    await waitUntil(() => streams.every((stream) => stream.messages().length > 1))
    await toggle(server, 'active')
    await waitUntil(() => streams.every((stream) => stream.messages().at(-1)?.id === version(2).id))
    for (const stream of streams) {
      const ids = stream.messages().map(({ id }) => id)
      expect(ids).toEqual([...new Set(ids)].sort())
    }
  })
})
