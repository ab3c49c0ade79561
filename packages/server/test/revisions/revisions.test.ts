import { type Operations, operations } from '@burgee/contract'
import { ApiError, createClient, revisionOf } from '@burgee/contract/client'
import {
  type ApiResponse,
  type Call,
  call,
  expectContract,
  options,
  send,
  serve,
  serveShared,
  type TestServer,
  tokenOf
} from '@burgee/testing/harness'
import { attributeFilter, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'

const project = { project: 'shop' }
const feature = { ...project, feature: 'checkout' }

const plan: Plan = {
  environments: { production: {}, staging: {} },
  audiences: { beta: { operator: 'and', filters: [attributeFilter('user_id', 'ada')] } },
  features: [{ key: 'checkout' }, { key: 'other' }, { key: 'done' }]
}

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
  let time = NOW
  server.clock.now = () => ++time
  const metric = { key: 'orders', name: 'Orders', event: 'ordered', dimension: 'COUNT_PER_UNIQUE_USER' }
  await ok('createMetric', { params: project, body: { ...metric, optimize: 'increase' } })
  await ok('createCustomProperty', {
    params: project,
    body: { key: 'plan', name: 'Plan', propertyKey: 'plan', type: 'String' }
  })
  await ok('createVariable', { params: project, body: { key: 'alone', type: 'Boolean' } })
  const variation = { status: 'complete', staticVariation: 'variation-on' }
  await ok('updateFeatureStatus', { params: { ...project, feature: 'done' }, body: variation })
})

async function ok(id: keyof Operations, request: Call): Promise<ApiResponse> {
  const answer = await call(server, id, request)
  expect([answer.status, answer.body]).toEqual([operations[id].status, answer.body])
  return answer
}

const etagOf = ({ headers }: ApiResponse) => String(headers.etag)
const revision = (etag: string) => etag.replaceAll('"', '')

interface Subject {
  readonly read: keyof Operations
  readonly write: keyof Operations
  readonly params: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** Two bodies; the first changes something, and the second something else. */
  readonly bodies: readonly [object, object]
}

const names = [{ name: 'One' }, { name: 'Two' }] as const
const subjects: Readonly<Record<string, Subject>> = {
  feature: { read: 'getFeature', write: 'updateFeature', params: feature, bodies: names },
  configuration: {
    read: 'listFeatureConfigurations',
    write: 'updateFeatureConfiguration',
    params: feature,
    query: { environment: 'staging' },
    bodies: [{ status: 'inactive' }, { status: 'active' }]
  },
  'static configuration': {
    read: 'getStaticConfiguration',
    write: 'updateStaticConfiguration',
    params: { ...project, feature: 'done' },
    bodies: [{ environments: { staging: { status: 'inactive' } } }, { environments: { staging: { status: 'active' } } }]
  },
  variation: {
    read: 'getVariation',
    write: 'updateVariation',
    params: { ...feature, key: 'variation-on' },
    bodies: names
  },
  'variable of a feature': {
    read: 'getVariable',
    write: 'updateVariable',
    params: { ...project, key: 'checkout' },
    bodies: names
  },
  variable: { read: 'getVariable', write: 'updateVariable', params: { ...project, key: 'alone' }, bodies: names },
  audience: { read: 'getAudience', write: 'updateAudience', params: { ...project, key: 'beta' }, bodies: names },
  'custom property': {
    read: 'getCustomProperty',
    write: 'updateCustomProperty',
    params: { ...project, key: 'plan' },
    bodies: names
  },
  environment: {
    read: 'getEnvironment',
    write: 'updateEnvironment',
    params: { ...project, key: 'staging' },
    bodies: names
  },
  project: { read: 'getProject', write: 'updateProject', params: { key: 'shop' }, bodies: names },
  metric: { read: 'getMetric', write: 'updateMetric', params: { ...project, key: 'orders' }, bodies: names }
}

describe.each(Object.entries(subjects))(
  'the revision of a %s',
  (_name, { read, write, params, query = {}, bodies }) => {
    const update = (body: object, ifMatch?: string) => {
      return call(server, write, { params, query, body, headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } })
    }

    it('is the ETag of reads and writes, changes with the resource only, and can be required', async () => {
      const first = etagOf(await ok(read, { params, query }))
      expect(first).toMatch(/^"[\w-]+"$/)
      expect(etagOf(await ok(read, { params, query }))).toBe(first)
      const changed = await update(bodies[0], first)
      expect(changed.status).toBe(200)
      const second = etagOf(changed)
      expect(second).not.toBe(first)
      expect(etagOf(await ok(read, { params, query }))).toBe(second)
      // Nothing changes.
      expect(etagOf(await update(bodies[0], second))).toBe(second)

      const refused = await update(bodies[1], first)
      expect(refused).toMatchObject({ status: 412, headers: { etag: second } })
      expect(refused.body).toMatchObject({ errorType: 'ERR_REVISION', current: revision(second) })
      expect(refused.body.since).toEqual([
        { _id: expect.any(String), date: expect.any(String), idp_user: expect.any(String), types: expect.any(Array) }
      ])
      expectContract(operations[write], refused)
      expect(etagOf(await ok(read, { params, query }))).toBe(second)
      expect((await update(bodies[1])).status).toBe(200)
    })
  }
)

test('accepts lists, weak tags, tags without quotes, and *', async () => {
  const params = { ...project, feature: 'other' }
  const write = async (wanted: (etag: string) => string) => {
    const etag = etagOf(await ok('getFeature', { params }))
    const headers = { 'if-match': wanted(etag) }
    return (await call(server, 'updateFeature', { params, headers, body: { description: `${Math.random()}` } })).status
  }
  expect(await write((etag) => `"other" , W/"more",${etag}`)).toBe(200)
  expect(await write((etag) => `W/${etag}`)).toBe(200)
  expect(await write(revision)).toBe(200)
  expect(await write(() => '*')).toBe(200)
  expect(await write(() => '"other", W/"more"')).toBe(412)
  expect(await write(() => '"*"')).toBe(412)
})

test.each(['', '"', '"a" "b"', 'a,', '*, "a"', 'W/'])('rejects the header %j', async (header) => {
  const answer = await send(server, {
    method: 'PATCH',
    path: '/v2/projects/shop/features/other',
    headers: {
      authorization: `Bearer ${await tokenOf(server)}`,
      'content-type': 'application/json',
      'if-match': header
    },
    body: '{}'
  })
  expect([answer.status, answer.body.message]).toEqual([
    400,
    [expect.stringMatching(/^if-match should be \* or the ETag of a response/)]
  ])
})

test.each(['*', '"x"'])('If-Match: %s does not replace a 404', async (header) => {
  const request = { params: { ...project, feature: 'nowhere' }, headers: { 'if-match': header }, body: { name: 'New' } }
  expect((await call(server, 'updateFeature', request)).status).toBe(404)
})

it('lists at most five changes, the newest first', async () => {
  const params = { ...project, feature: 'other' }
  const first = etagOf(await ok('getFeature', { params }))
  for (let index = 0; index < 6; index++) await ok('updateFeature', { params, body: { name: `Name ${index}` } })
  const refused = await call(server, 'updateFeature', { params, headers: { 'if-match': first }, body: names[0] })
  const { items } = { items: (await ok('getFeatureAudit', { params })).body }
  expect(refused.body.since.map(({ _id }: { _id: string }) => _id)).toEqual(
    items.slice(0, 5).map(({ _id }: { _id: string }) => _id)
  )
  expect(refused.body.current).toBe(items[0]._id)
})

test('one of several concurrent writes with the same revision succeeds', async () => {
  const params = { ...project, feature: 'other' }
  const headers = { 'if-match': etagOf(await ok('getFeature', { params })) }
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => call(server, 'updateFeature', { params, headers, body: { name } }))
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
})

test.each<[keyof Operations, keyof Operations, Readonly<Record<string, string>>]>([
  ['createFeature', 'deleteFeature', { feature: 'brief' }],
  ['createVariable', 'deleteVariable', { key: 'short' }],
  ['createAudience', 'deleteAudience', { key: 'brief' }],
  ['createEnvironment', 'deleteEnvironment', { key: 'brief' }],
  ['createMetric', 'deleteMetric', { key: 'brief' }],
  ['createCustomProperty', 'deleteCustomProperty', { key: 'brief' }]
])('%s has the revision that %s can require', async (create, remove, key) => {
  const more: Readonly<Record<string, object>> = {
    createVariable: { type: 'Boolean' },
    createAudience: { filters: { operator: 'and', filters: [attributeFilter('user_id', 'ada')] } },
    createEnvironment: { type: 'development' },
    createMetric: { event: 'ordered', dimension: 'COUNT_PER_UNIQUE_USER', optimize: 'increase' },
    createCustomProperty: { propertyKey: 'brief', type: 'String' }
  }
  const created = await ok(create, {
    params: project,
    body: { key: key.key ?? key.feature, name: 'Brief', ...more[create] }
  })
  const params = { ...project, ...key }
  const removeWith = async (etag: string) =>
    (await call(server, remove, { params, headers: { 'if-match': etag } })).status
  expect(await removeWith('"other"')).toBe(412)
  expect(await removeWith(etagOf(created))).toBe(200)
})

test('the revision of a webhook does not depend on its URL, which can be a secret', async () => {
  const body = { name: 'Hook', url: 'https://ada:secret@hooks.invalid/', events: ['createdFeature'] }
  const created = await ok('createWebhook', { params: project, body })
  const params = { ...project, id: created.body._id }
  const headers = { 'if-match': etagOf(created) }
  const updated = await call(server, 'updateWebhook', { params, headers, body: { name: 'New' } })
  expect(updated.status).toBe(200)
  expect((await call(server, 'deleteWebhook', { params, headers })).status).toBe(412)
  expect((await call(server, 'deleteWebhook', { params, headers: { 'if-match': etagOf(updated) } })).status).toBe(200)
})

test('browsers of other origins can send If-Match and read the ETag', async () => {
  const origin = 'https://flags.example.com'
  const path = '/v2/projects/shop/features/other'
  const asked = { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'if-match' }
  const preflight = await send(server, { method: 'OPTIONS', path, headers: asked })
  expect(preflight.headers['access-control-allow-headers']).toContain('if-match')
  const headers = { origin, authorization: `Bearer ${await tokenOf(server)}` }
  const read = await send(server, { path, headers })
  expect(read.headers['access-control-expose-headers']).toContain('etag')
  expect(read.headers.etag).toBeDefined()
})

test('the typed client reads a revision, requires it, and names the current one', async () => {
  const client = createClient({ baseUrl: server.url, credentials: { token: await tokenOf(server) } })
  const params = { ...project, feature: 'other' }
  const ifMatch = revisionOf(await client.getFeature({ params }))
  const update = (name: string) => client.updateFeature({ params, headers: { 'if-match': ifMatch }, body: { name } })
  const updated = revisionOf(await update('By the client'))
  const error = await update('Again').catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 412, errorType: 'ERR_REVISION', current: revision(updated ?? '') })
})

test('revisions survive a restart', async () => {
  const before = await Promise.all(
    Object.values(subjects).map(({ read, params, query = {} }) => ok(read, { params, query }))
  )
  await server.close()
  server = await serveShared(server.directory, {}, NOW + 60_000)
  const after = await Promise.all(
    Object.values(subjects).map(({ read, params, query = {} }) => ok(read, { params, query }))
  )
  expect(after.map(etagOf)).toEqual(before.map(etagOf))
})

test('a token that may not read the resource receives no changes since', async () => {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: options.adminClientId,
    client_secret: options.adminClientSecret,
    scope: 'audience:write'
  })
  const { body } = await send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString()
  })
  const params = { ...project, key: 'beta' }
  const first = etagOf(await ok('getAudience', { params }))
  await ok('updateAudience', { params, body: { name: 'Three' } })
  const stale = { params, headers: { 'if-match': first }, body: { name: 'Four' } }
  const refused = await call(server, 'updateAudience', { ...stale, key: `Bearer ${body.access_token}` })
  expect(refused.status).toBe(412)
  expect(refused.body).not.toHaveProperty('since')
  expect((await call(server, 'updateAudience', stale)).body.since).toHaveLength(1)
})
