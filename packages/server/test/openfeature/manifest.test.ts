import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, type Call, call, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'

let server: TestServer
/** A flag that each test can create. */
let banner: Readonly<Record<'key' | 'type' | 'defaultValue' | 'description', string>>
let count = 0

beforeAll(async () => {
  server = await serve({
    environments: { production: {}, development: {} },
    features: [
      { key: 'checkout' },
      {
        key: 'cart',
        variables: { 'cart-limit': 'Number', 'cart-rate': 'Number' },
        variations: { on: { 'cart-limit': 5, 'cart-rate': 0.5 } }
      }
    ]
  })
})

beforeEach(() => {
  count += 1
  banner = { key: `banner-${count}`, type: 'string', defaultValue: 'hello', description: 'The text on top.' }
  server.clock.now = () => NOW
})

const ask = (id: Parameters<typeof call>[1], given: Call = {}): Promise<ApiResponse> =>
  call(server, id, { ...given, params: { project: 'shop', ...given.params } })

const flagsByKey = async () =>
  Object.fromEntries((await ask('getManifest')).body.flags.map((flag: { key: string }) => [flag.key, flag]))

const create = (body: object = banner) => ask('createManifestFlag', { body })
const update = (key: string, body: object) => ask('updateManifestFlag', { params: { key }, body })
const archive = (key: string) => ask('archiveManifestFlag', { params: { key } })

describe('the manifest', () => {
  it('has the active variables with types and defaults, and the capabilities of the token', async () => {
    const { status, headers } = await ask('getManifest')
    expect([status, headers['x-manifest-capabilities']]).toEqual([200, 'read,write,delete'])
    expect(await flagsByKey()).toMatchObject({
      checkout: { type: 'boolean', defaultValue: true },
      'cart-limit': { type: 'integer' },
      'cart-rate': { type: 'float' }
    })
  })

  it('is sent again only if it has changed', async () => {
    const url = `${server.url}/v1/projects/shop/openfeature/v0/manifest`
    const authorization = `Bearer ${await tokenOf(server)}`
    const get = (etag?: string) =>
      fetch(url, { headers: { authorization, ...(etag !== undefined && { 'if-none-match': etag }) } })
    const first = await get()
    const etag = first.headers.get('etag') ?? ''
    expect([etag, first.headers.get('cache-control')]).toEqual([
      expect.stringMatching(/^"[\w-]+"$/),
      'private, no-cache'
    ])
    const unchanged = await get(`W/${etag}`)
    expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([304, '', etag])
    await create()
    const changed = await get(etag)
    expect([changed.status, JSON.stringify(await changed.json())]).toEqual([200, expect.stringContaining(banner.key)])
  })

  it('records changes by the command line as those of a command line', async () => {
    const { url } = server
    const response = await fetch(`${url}/v1/projects/shop/openfeature/v0/manifest/flags`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await tokenOf(server)}`,
        'content-type': 'application/json',
        'user-agent': 'openfeature-cli/sync'
      },
      body: JSON.stringify(banner)
    })
    expect(response.status).toBe(201)
    const { body } = await ask('getFeatureAudit', { params: { feature: banner.key } })
    expect(body).toMatchObject([{ source: 'cli' }])
  })

  it('is at the path of the specification for a token that sees one project', async () => {
    const small = await serve({ features: [{ key: 'checkout' }] })
    const authorization = `Bearer ${await tokenOf(small)}`
    const response = await fetch(`${small.url}/openfeature/v0/manifest`, { headers: { authorization } })
    const expected = await call(small, 'getManifest', { params: { project: 'shop' } })
    expect([response.status, await response.json()]).toEqual([200, expected.body])
    await call(small, 'createProject', { body: { key: 'other', name: 'Other' } })
    const refused = await fetch(`${small.url}/openfeature/v0/manifest`, { headers: { authorization } })
    const message = 'this token sees 2 projects: add /v1/projects/<key> to the provider URL'
    expect([refused.status, await refused.json()]).toEqual([400, { error: { message, status: 400 } }])
  })

  it.each([
    ['/openfeature/v0/manifest', 401],
    ['/v1/projects/shop/openfeature/v0/manifest', 401],
    ['/v1/projects/shop/openfeature/v0/nothing', 404]
  ])('has errors of its own form at %s', async (path, status) => {
    const response = await fetch(`${server.url}${path}`)
    expect([response.status, await response.json()]).toEqual([
      status,
      { error: { message: expect.any(String), status } }
    ])
  })

  it('lists only what a token may do', async () => {
    const permissions = ['project:read', 'variable:read'] as const
    const { server: limited, key } = await serveLimited({ features: [{ key: 'checkout' }] }, permissions)
    const given = { params: { project: 'shop' }, key }
    expect((await call(limited, 'getManifest', given)).headers['x-manifest-capabilities']).toBe('read')
    expect((await call(limited, 'createManifestFlag', { ...given, body: banner })).status).toBe(403)
  })
})

describe('a new flag', () => {
  it('is a variable and a feature that is off everywhere', async () => {
    const { status, body } = await create()
    expect([status, body]).toEqual([
      201,
      { flag: { ...banner, name: banner.key }, updatedAt: new Date(NOW).toISOString() }
    ])
    const feature = (await ask('getFeature', { params: { feature: banner.key } })).body
    expect(feature.configurations.map(({ status }: { status: string }) => status)).not.toContain('active')
    expect(feature.variations).toMatchObject([{ key: 'default', variables: { [banner.key]: 'hello' } }])
    expect((await flagsByKey())[banner.key]).toEqual({ ...banner, name: banner.key })
  })

  it.each([
    ['boolean', true],
    ['boolean', false],
    ['integer', 10],
    ['float', 1.5],
    ['object', { a: [1] }]
  ])('of type %s keeps its default %j', async (type, defaultValue) => {
    expect((await create({ key: banner.key, type, defaultValue })).body.flag).toMatchObject({ type, defaultValue })
    expect((await flagsByKey())[banner.key]).toMatchObject({ type, defaultValue })
  })

  it('can be repeated for ten minutes by the same caller, since the command line repeats lost requests', async () => {
    const { body } = await create()
    expect(await create()).toMatchObject({ status: 201, body })
    expect((await create({ ...banner, defaultValue: 'other' })).status).toBe(409)
    server.clock.now = () => NOW + 11 * 60_000
    expect((await create()).body.error).toMatchObject({ status: 409, message: expect.stringContaining(banner.key) })
  })

  it.each([
    [{ key: 'Banner' }, 400, 'key'],
    [{ type: 'number' }, 400, 'type'],
    [{ defaultValue: 1 }, 400, 'defaultValue'],
    [{ key: 'cart', type: 'boolean', defaultValue: true }, 409, undefined],
    [{ key: 'checkout', type: 'boolean', defaultValue: false }, 409, undefined]
  ])('is refused: %j', async (members, status, field) => {
    const { status: found, body: response } = await create({ ...banner, ...members })
    expect([found, response.error.details?.[0]?.field]).toEqual([status, field])
  })
})

describe('an update of a flag', () => {
  it('changes name, description and default, and not what is served', async () => {
    await create()
    server.clock.now = () => NOW + 5000
    const { body } = await update(banner.key, { key: banner.key, type: 'string', name: 'Banner', defaultValue: 'bye' })
    expect(body).toEqual({
      flag: { ...banner, name: 'Banner', defaultValue: 'bye' },
      updatedAt: new Date(NOW + 5000).toISOString()
    })
    const feature = (await ask('getFeature', { params: { feature: banner.key } })).body
    expect(feature.variations).toMatchObject([{ variables: { [banner.key]: 'hello' } }])
  })

  it('leaves one audit entry, as its creation and its end do, and none if it changes nothing', async () => {
    const entries = async () => {
      const { body, headers } = await call(server, 'listAuditEntries', { query: { project: 'shop', perPage: 1 } })
      return [Number(headers.count), body[0]?.changes.map(({ type }: { type: string }) => type)]
    }
    const [before = 0] = await entries()
    await create()
    expect(await entries()).toEqual([before + 1, ['createdFeature']])
    server.clock.now = () => NOW + 5000
    expect((await update(banner.key, banner)).body.updatedAt).toBe(new Date(NOW).toISOString())
    expect(await entries()).toEqual([before + 1, expect.anything()])
    await update(banner.key, { ...banner, defaultValue: 'bye' })
    expect(await entries()).toEqual([before + 2, ['modifiedVariable']])
    server.clock.now = () => NOW + 6000
    await archive(banner.key)
    expect(await entries()).toEqual([before + 3, expect.arrayContaining(['modifiedFeatureStatus'])])
  })

  it.each([
    [{ key: 'other' }, 400, /must match/],
    [{ type: 'boolean', defaultValue: true }, 409, /cannot be changed from string to boolean/],
    [{ defaultValue: 5 }, 400, /defaultValue should be of type string, got 5/]
  ])('with %j is refused', async (members, status, message) => {
    await create()
    const { status: found, body: response } = await update(banner.key, { ...banner, ...members })
    expect([found, response.error.message]).toEqual([status, expect.stringMatching(message)])
  })
})

describe('an archived flag', () => {
  it('leaves the manifest, and its key stays taken', async () => {
    await create()
    expect(await archive(banner.key)).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining(`Flag "${banner.key}" archived`), archivedAt: expect.any(String) }
    })
    expect(await flagsByKey()).not.toHaveProperty(banner.key)
    expect((await ask('getFeature', { params: { feature: banner.key } })).body.status).toBe('archived')
    expect((await create()).body.error.message).toContain('is archived')
    expect((await update(banner.key, banner)).status).toBe(409)
    expect((await update('nothing', { ...banner, key: 'nothing' })).status).toBe(404)
    expect((await archive(banner.key)).body.error.message).toBe(`Flag "${banner.key}" is already archived.`)
  })

  test.each([
    ['checkout', 409, /active in a protected environment \(development, production\)/],
    ['cart-limit', 409, /belongs to feature "cart" with cart-rate/],
    ['nothing', 404, /was not found/]
  ])('cannot be %s', async (key, status, message) => {
    const { status: found, body } = await archive(key)
    expect([found, body.error.message]).toEqual([status, expect.stringMatching(message)])
  })
})
