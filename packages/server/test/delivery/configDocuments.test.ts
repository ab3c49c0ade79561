import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { compile } from '@burgee/core'
import { type ApiResponse, call, send, serve, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { attributeFilter, fillStore, idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { openConfigs } from '../../src/delivery/configs/configs.ts'
import { createDownload } from '../../src/delivery/downloads/download.ts'
import { buildDownloadContent } from '../../src/delivery/downloads/downloadContent.ts'
import { isWildcard } from '../../src/lib/network.ts'
import { openStore } from '../../src/storage/open/openStore.ts'

const plan: Plan = {
  settings: { sdkTypeVisibility: { enabledInFeatureSettings: true } },
  environments: { production: {}, staging: {} },
  audiences: { pro: { operator: 'and', filters: [attributeFilter('customData.plan', 'pro')] } },
  features: [
    { key: 'checkout' },
    { key: 'internal', visibleTo: ['server'] },
    {
      key: 'for-pros',
      targets: [{ filters: [{ type: 'audienceMatch', comparator: '=', _audiences: [idOf('pro')] }] }]
    }
  ]
}

const ids = [
  'getServerConfig',
  'getServerConfigV1',
  'getBootstrapConfig',
  'getBootstrapConfigV1',
  'getObfuscatedBootstrapConfig',
  'getObfuscatedBootstrapConfigV1'
] as const
const inShop = { project: 'shop' }
const path = `/config/v2/server/${keyOf('server')}.json`

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

function get(headers: Record<string, string> = {}, of = server, key = keyOf('server')): Promise<ApiResponse> {
  return call(of, 'getServerConfig', { params: { key }, headers, key: null })
}

/** Switches the feature to another variation for all users. */
async function change(of: TestServer, variation: 'on' | 'off'): Promise<void> {
  const targets = [
    {
      audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
      distribution: [{ _variation: `variation-${variation}`, percentage: 1 }]
    }
  ]
  const params = { ...inShop, feature: 'checkout' }
  const query = { environment: 'production' }
  const { status } = await call(of, 'updateFeatureConfiguration', { params, query, body: { targets } })
  expect(status).toBe(200)
}

/** The headers that distinguish versions of a response. */
function versionOf({ headers }: ApiResponse): { etag: string; lastModified: number } {
  return { etag: headers.etag ?? '', lastModified: Date.parse(headers['last-modified'] ?? '') }
}

/** The raw bytes of a response. */
function download(acceptEncoding: string): Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = acceptEncoding === '' ? {} : { 'accept-encoding': acceptEncoding }
    const request = httpRequest({ host: '127.0.0.1', port: server.port, path, headers, agent: false })
    request.on('error', reject)
    request.on('response', async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ headers: response.headers, bytes: Buffer.concat(chunks) })
    })
    request.end()
  })
}

describe('the config of an environment', () => {
  it('has everything that evaluation reads, and the address of the stream', async () => {
    const { status, body } = await get()
    expect(status).toBe(200)
    expect(body.features.map(({ key }: { key: string }) => key)).toEqual(['checkout', 'internal', 'for-pros'])
    expect(body).toMatchObject({
      project: {
        _id: idOf('shop'),
        key: 'shop',
        a0_organization: 'org_test',
        settings: { edgeDB: { enabled: false } }
      },
      environment: { _id: idOf('production'), key: 'production' },
      variableHashes: {},
      audiences: { [idOf('pro')]: {} },
      debugUsers: [],
      sse: { hostname: server.url, path: `/event-stream?sdkKey=${keyOf('server')}` }
    })
    expect(body.clientSDKKey).toBeUndefined()
    expect(compile(body).variable({ user_id: 'ada', customData: { plan: 'pro' } }, 'for-pros')?.value).toBe(true)
  })

  it('is also available at its former path', async () => {
    const { body } = await call(server, 'getServerConfigV1', { params: { key: keyOf('server') }, key: null })
    expect(body).toEqual((await get()).body)
  })

  it.each(['getBootstrapConfig', 'getBootstrapConfigV1'] as const)(
    'is the client config in %s, without data that is not for browsers',
    async (id) => {
      const { status, body } = await call(server, id, { params: { key: keyOf('server') }, key: null })
      expect(status).toBe(200)
      expect(body.features.map(({ key }: { key: string }) => key)).toEqual(['checkout', 'for-pros'])
      expect(body.clientSDKKey).toBe(keyOf('client'))
      expect(body.sse).toEqual({ hostname: server.url, path: `/event-stream?sdkKey=${keyOf('client')}` })
      expect(JSON.stringify(body)).not.toContain(keyOf('server'))
      expect(JSON.stringify(body)).not.toContain('internal')
    }
  )

  it('has stream addresses under the public URL and its path', async () => {
    const behind = await serve(plan, { publicUrl: 'https://example.com/flags/' })
    expect((await get({}, behind)).body.sse).toEqual({
      hostname: 'https://example.com',
      path: `/flags/event-stream?sdkKey=${keyOf('server')}`
    })
  })

  it('has no stream without a known address', async () => {
    const store = await openStore('memory:')
    await fillStore(store, plan)
    const listener = { onProblem: () => {}, onError: () => {} }
    const configs = await openConfigs(store, listener, { now: () => NOW, serverVersion: '0.0.0' })
    const current = configs.current(keyOf('server'))!
    expect(buildDownloadContent(current, undefined)).not.toHaveProperty('sse')
    expect(buildDownloadContent(current, 'http://127.0.0.1:1').sse?.hostname).toBe('http://127.0.0.1:1')
    configs.close()
    await store.close()
  })

  it.each([
    ['0.0.0.0', true],
    ['::', true],
    ['127.0.0.1', false],
    ['::1', false],
    ['10.0.0.0', false]
  ])('determines whether others can reach the listening address %s', (address, isNowhere) => {
    expect(isWildcard(address)).toBe(isNowhere)
  })

  it('has the newest client key that is public', async () => {
    const own = await serve(plan)
    const params = { ...inShop, environment: 'production' }
    const { body } = await call(own, 'generateSdkKeys', { params, body: { client: true } })
    const given = { params: { key: keyOf('server') }, key: null }
    expect((await call(own, 'getBootstrapConfig', given)).body.clientSDKKey).toBe(body.sdkKeys.client.at(-1).key)
  })

  it('has no names of team members', async () => {
    const own = await serve(plan)
    const email = { enabled: true, frequency: 'weekly', users: ['secret@example.com'] }
    const body = { settings: { featureApprovalWorkflow: {}, staleness: { enabled: true, email } } }
    const { status } = await call(own, 'updateProtectedSettings', { params: { key: 'shop' }, body })
    expect(status).toBe(200)
    expect(JSON.stringify((await get({}, own)).body)).not.toContain('secret@example.com')
  })
})

describe('the headers of a document', () => {
  it('allow caching with revalidation', async () => {
    const { headers } = await get()
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=0, stale-if-error=86400',
      etag: `W/"${NOW / 1000}-${idOf('production')}"`,
      'last-modified': new Date(NOW).toUTCString()
    })
    expect(headers.vary?.toLowerCase()).toContain('accept-encoding')
  })

  it('are the same for HEAD', async () => {
    const { headers } = await get()
    const head = await send(server, { method: 'HEAD', path })
    expect([head.status, head.body]).toEqual([200, undefined])
    for (const name of ['etag', 'last-modified', 'cache-control', 'content-type', 'content-length', 'vary']) {
      expect(head.headers[name], name).toBe(headers[name])
    }
  })

  it('have a weak ETag, which is the same for all encodings', async () => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const { headers } = await send(server, { path, headers: { 'accept-encoding': encoding } })
      expect([headers['content-encoding'] ?? 'identity', headers.etag]).toEqual([encoding, etag])
    }
  })

  const strong = `"${NOW / 1000}-${idOf('production')}"`
  const etag = `W/${strong}`
  const date = (offset: number) => new Date(NOW + offset).toUTCString()
  test.each<[Record<string, string>, number]>([
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': strong }, 304],
    [{ 'if-none-match': strong.replaceAll('"', '') }, 304],
    [{ 'if-none-match': `"other", ${etag}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"other"' }, 200],
    [{ 'if-none-match': '"*"' }, 200],
    [{ 'if-none-match': 'W/"*"' }, 200],
    [{ 'if-none-match': '"other"', 'if-modified-since': date(0) }, 200],
    [{ 'if-none-match': etag, 'if-modified-since': date(-1000) }, 304],
    [{ 'if-modified-since': date(0) }, 304],
    [{ 'if-modified-since': date(1000) }, 304],
    [{ 'if-modified-since': date(-1000) }, 200],
    [{ 'if-modified-since': 'someday' }, 200],
    [{ 'if-modified-since': '' }, 200]
  ])('answer %j with %i', async (headers, status) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await send(server, { method, path, headers })
      expect(answer.status).toBe(status)
      expect(answer.headers).toMatchObject({
        etag,
        'last-modified': date(0),
        'cache-control': 'public, max-age=0, stale-if-error=86400'
      })
      expect(answer.headers.vary?.toLowerCase()).toContain('accept-encoding')
      if (status === 304) expect([answer.body, answer.headers['content-type']]).toEqual([undefined, undefined])
    }
  })

  test.each([
    ['', undefined],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['BR, GZIP', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8, *;q=0.1', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['deflate', undefined],
    ['gzip;q=x', undefined]
  ])('map Accept-Encoding %j to %s', async (acceptEncoding, encoding) => {
    const { headers, bytes } = await download(acceptEncoding)
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['content-length']).toBe(String(bytes.length))
    const text = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes
    expect(JSON.parse(text.toString('utf8'))).toEqual((await get()).body)
  })
})

describe('a key in an address', () => {
  const unknown = `server-${'x'.repeat(32)}`

  test.each(
    ids.flatMap((id) =>
      [unknown, '__proto__', '%2e', keyOf('client'), keyOf('mobile')].map((key) => [id, key] as const)
    )
  )('%s refuses %s with 403, and does not repeat it', async (id, key) => {
    const { status, headers, body } = await call(server, id, { params: { key }, key: null })
    expect([status, body.statusCode]).toEqual([403, 403])
    expect(headers['cache-control']).toBe('no-store')
    expect(body.message).not.toContain(key)
  })

  it('is refused even with another valid key or a matching ETag', async () => {
    const headers = { authorization: keyOf('server'), 'if-none-match': '*' }
    expect((await get(headers, server, unknown)).status).toBe(403)
  })

  test.each([
    ['GET', `/config/v2/server/${keyOf('server')}`],
    ['GET', `/config/v3/server/${keyOf('server')}.json`],
    ['GET', `/config/v2/client/${keyOf('server')}.json`],
    ['GET', `/config/v2/server/${keyOf('server')}/x.json`],
    ['POST', path],
    ['GET', path.replace('.json', '%zz.json')],
    ['GET', `${path}?x=%zz`]
  ])('is not repeated in the error from %s at an unknown path: %s', async (method, address) => {
    const { status, body } = await send(server, { method, path: address })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(JSON.stringify(body)).not.toContain(keyOf('server'))
  })

  it('is never logged', () => {
    expect(server.logs.length).toBeGreaterThan(0)
    for (const key of [keyOf('server'), keyOf('client'), unknown]) expect(server.logs.join('')).not.toContain(key)
  })

  it('grants no access from the moment it is invalidated', async () => {
    const own = await serve(plan)
    const params = { ...inShop, environment: 'production' }
    const { body } = await call(own, 'generateSdkKeys', { params, body: { server: true } })
    const key = body.sdkKeys.server.at(-1).key
    const { status, headers } = await get({}, own, key)
    expect(status).toBe(200)
    await call(own, 'invalidateSdkKey', { params: { ...params, key } })
    for (const id of ids) {
      const given = { params: { key }, headers: { 'if-none-match': headers.etag ?? '' }, key: null }
      expect((await call(own, id, given)).status).toBe(403)
    }
    expect((await get({}, own)).status).toBe(200)
  })
})

describe('a config version', () => {
  it('increases by at least a second with each change, even within one second', async () => {
    const own = await serve(plan)
    let before = await get({}, own)
    for (let count = 0; count < 5; count++) {
      await change(own, count % 2 === 0 ? 'off' : 'on')
      const after = await get({ 'if-none-match': before.headers.etag ?? '' }, own)
      expect(after.status).toBe(200)
      expect(compile(after.body).variable({ user_id: 'ada' }, 'checkout')?.value).toBe(count % 2 === 1)
      expect(versionOf(after).lastModified).toBeGreaterThanOrEqual(versionOf(before).lastModified + 1000)
      expect(versionOf(after).etag).not.toBe(versionOf(before).etag)
      const since = await get({ 'if-modified-since': before.headers['last-modified'] ?? '' }, own)
      expect(since.status).toBe(200)
      before = after
    }
  })

  it('belongs to its environment', async () => {
    const own = await serve(plan)
    const staging = keyOf('server', 'staging')
    const before = versionOf(await get({}, own, staging))
    await change(own, 'off')
    expect(versionOf(await get({}, own, staging))).toEqual(before)
  })

  it('does not change without an effect on evaluation', async () => {
    const own = await serve(plan)
    const before = await get({}, own)
    own.clock.now = () => NOW + 60_000
    const { status } = await call(own, 'updateFeature', {
      params: { ...inShop, feature: 'checkout' },
      body: { name: 'Another name', description: 'and words', tags: ['x'] }
    })
    expect(status).toBe(200)
    await call(own, 'createMetric', {
      params: inShop,
      body: { key: 'm', name: 'M', type: 'count', event: 'e', dimension: 'COUNT_PER_UNIQUE_USER', optimize: 'increase' }
    })
    const after = await get({}, own)
    expect(versionOf(after)).toEqual(versionOf(before))
    expect(after.body).toEqual(before.body)
  })

  it('survives a restart, and continues from a value ahead of the clock', async () => {
    const first = await serve(plan)
    for (const variation of ['off', 'on', 'off'] as const) await change(first, variation)
    const before = await get({}, first)
    expect(versionOf(before).lastModified).toBeGreaterThan(NOW)
    await first.close()

    const second = await serve(first.directory)
    const same = await get({}, second)
    expect(versionOf(same)).toEqual(versionOf(before))
    expect(same.body.features).toEqual(before.body.features)
    await change(second, 'on')
    const after = versionOf(await get({}, second))
    expect(after.lastModified).toBeGreaterThanOrEqual(versionOf(before).lastModified + 1000)
    expect(after.etag).not.toBe(versionOf(before).etag)
  })

  it('changes with the server version that compiles the config', async () => {
    const first = await serve(plan)
    const before = versionOf(await get({}, first))
    await first.close()
    const store = await openStore(toStoreUrl(first.directory))
    await store.collection('configVersions').update(idOf('production'), { madeBy: '0.0.0-before' })
    await store.close()

    const second = await serve(first.directory)
    const after = versionOf(await get({}, second))
    expect(after.lastModified).toBeGreaterThanOrEqual(before.lastModified + 1000)
    expect(after.etag).not.toBe(before.etag)
  })
})

describe('overrides', () => {
  it('are rules in every document, and change the version', async () => {
    const own = await serve(plan)
    const params = { ...inShop, feature: 'checkout' }
    const before = await get({}, own)
    await call(own, 'updateUserProfile', { params: inShop, body: { svcUserId: 'ada' } })
    const choice = { environment: 'production', variation: 'variation-off' }
    await call(own, 'updateFeatureOverride', { params, body: choice })

    const overridden = await get({}, own)
    expect(versionOf(overridden).lastModified).toBeGreaterThan(versionOf(before).lastModified)
    expect(overridden.body.debugUsers).toEqual(['ada'])
    const [feature] = overridden.body.features
    expect(feature.configuration.targets[0]).toMatchObject({ type: 'override' })
    const bootstrap = await call(own, 'getBootstrapConfig', { params: { key: keyOf('server') }, key: null })
    for (const { body } of [overridden, bootstrap]) {
      expect(compile(body).variable({ user_id: 'ada' }, 'checkout')?.value).toBe(false)
      expect(compile(body).variable({ user_id: 'eve' }, 'checkout')?.value).toBe(true)
    }
    expect((await get({}, own, keyOf('server', 'staging'))).body.debugUsers).toEqual([])

    await call(own, 'deleteCurrentOverrides', { params: inShop })
    const after = await get({}, own)
    expect(versionOf(after).lastModified).toBeGreaterThan(versionOf(overridden).lastModified)
    expect(after.body).toEqual(before.body)
  })
})

describe('the encodings of a download', () => {
  const version = { id: '1-a', lastModified: 1000 }

  it('are computed once for concurrent requests', async () => {
    let count = 0
    const download = createDownload(version, () => ({ made: ++count }))
    const encodings = ['br', 'gzip', 'identity', 'gzip', 'identity', 'br'] as const
    const [br, gzip, identity, ...again] = await Promise.all(encodings.map((encoding) => download.encode(encoding)))
    expect(String(identity)).toBe('{"made":1}')
    expect(String(gunzipSync(gzip ?? ''))).toBe('{"made":1}')
    expect(String(brotliDecompressSync(br ?? ''))).toBe('{"made":1}')
    expect(again[0]).toBe(gzip)
    expect(again[1]).toBe(identity)
    expect(await download.encode('br')).toBe(br)
    expect(count).toBe(1)
  })

  it('equal JSON.stringify, for lists of any length', async () => {
    const lists = fc.oneof(
      fc.array(fc.jsonValue(), { maxLength: 5 }),
      fc.constant(Array.from({ length: 401 }, (_, i) => [i]))
    )
    const contents = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), lists, fc.constant(undefined)))
    await fc.assert(
      fc.asyncProperty(contents, async (content) => {
        expect(String(await createDownload(version, () => content).encode('identity'))).toBe(JSON.stringify(content))
      })
    )
  })

  it('are computed again after a failure', async () => {
    let isBroken = true
    const download = createDownload(version, () => {
      if (isBroken) throw new Error('broken')
      return {}
    })
    await expect(download.encode('gzip')).rejects.toThrow('broken')
    isBroken = false
    expect(String(gunzipSync(await download.encode('gzip')))).toBe('{}')
  })
})
