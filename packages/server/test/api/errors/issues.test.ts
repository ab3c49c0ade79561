import { call, send, serve, storeWith, type TestServer, tokenOf } from '@burgee/testing/harness'
import { beforeAll, expect, it, test } from 'vitest'

let server: TestServer

beforeAll(async () => {
  server = await serve(await storeWith({ environments: { production: {} }, features: [{ key: 'checkout' }] }))
})

const shop = { project: 'shop' }
const audience = { filters: { operator: 'and', filters: [{ type: 'all' }] } }
const checkout = { project: 'shop', feature: 'checkout' }

test.each([
  ['a member', 'createFeature', { name: 7, key: 'a' }, [['name']]],
  ['several members', 'createFeature', { name: 7 }, [['key'], ['name']]],
  ['an unknown member', 'createFeature', { name: 'A', key: 'a', nmae: 1 }, [['nmae']]],
  ['the body', 'createFeature', [], [[]]],
  [
    'a member of an item of a list',
    'updateFeature',
    { configurations: { production: { targets: [{ audience, distribution: [{ _variation: 7, percentage: 1 }] }] } } },
    [['configurations', 'production', 'targets', 0, 'distribution', 0, '_variation']]
  ],
  [
    'a member of an unknown name',
    'updateFeature',
    { configurations: { 'a.b': { status: 3 } } },
    [['configurations', 'a.b', 'status']]
  ]
] as const)('a 400 has the path of %s', async (_, operation, body, paths) => {
  const given = { params: operation === 'createFeature' ? shop : checkout, body }
  const answer = await call(server, operation, given)
  expect(answer.status).toBe(400)
  expect(answer.body.issues.map(({ path }: { path: unknown }) => path)).toEqual(paths)
  expect(answer.body.issues.map(({ message }: { message: unknown }) => message)).toEqual(answer.body.message)
  expect(answer.body.issues.map((issue: { in: unknown }) => issue.in)).toEqual(paths.map(() => 'body'))
})

it('names the query and the path', async () => {
  const query = await call(server, 'listFeatures', { params: shop, query: { perPage: '0' } })
  const message = 'perPage should be at least 1, got "0"'
  expect(query.body.issues).toEqual([{ in: 'query', path: ['perPage'], message }])
  const path = await call(server, 'getProject', { params: { key: 'x'.repeat(101) } })
  expect(path.body.issues).toMatchObject([{ in: 'path', path: ['key'] }])
})

it('describes at most ten issues, and counts the others in the message only', async () => {
  const variables = Array.from({ length: 13 }, () => ({ key: 7 }))
  const { body } = await call(server, 'createFeature', { params: shop, body: { name: 'A', key: 'a', variables } })
  expect(body.issues.length).toBeGreaterThanOrEqual(10)
  expect(body.message).toEqual([
    ...body.issues.map(({ message }: { message: string }) => message),
    expect.stringMatching(/^and \d+ more$/)
  ])
})

it('describes only the first invalid item of a list in a large body', async () => {
  const variables = Array.from({ length: 900 }, (_, index) => ({
    key: `v-${index}`,
    type: 'Text',
    name: 'V'.repeat(90)
  }))
  const answer = await call(server, 'createFeature', { params: shop, body: { name: 'A', key: 'a', variables } })
  expect(answer.status).toBe(400)
  expect(answer.body.issues.map(({ path }: { path: unknown }) => path)).toEqual([['variables', 0, 'type']])
  expect(answer.body.message).toHaveLength(1)
})

it.each([
  ['configurations', Object.fromEntries(numbered(9000, 7))],
  ['variations', [{ key: 'on', name: 'On', variables: Object.fromEntries(numbered(9000, null)) }]]
])('describes only the first invalid member of the %s in a large body', async (member, value) => {
  const answer = await call(server, 'createFeature', { params: shop, body: { name: 'A', key: 'a', [member]: value } })
  expect(answer.status).toBe(400)
  expect(answer.body.issues.map(({ path }: { path: string[] }) => path.at(-1))).toEqual(['key-0'])
})

it('suggests members inside configurations', async () => {
  const body = { name: 'A', key: 'a', configurations: { development: { target: [] } } }
  const answer = await call(server, 'createFeature', { params: shop, body })
  expect(answer.body.message).toEqual([expect.stringContaining('did you mean "targets"?')])
})

function numbered<Value>(count: number, value: Value): [string, Value][] {
  return Array.from({ length: count }, (_, index) => [`key-${index}`, value])
}

it('does not contain a password', async () => {
  const body = { email: 'ada@example.com', name: 'Ada', roles: [], password: 'secret!' }
  const answer = await call(server, 'createUser', { body })
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.not.stringContaining('secret!')])
  expect(answer.body.issues).toMatchObject([{ in: 'body', path: ['password'] }])
})

it('has no issues without the path of a member in the request', async () => {
  const headers = { authorization: await tokenOf(server), 'content-type': 'application/json' }
  const malformed = await send(server, { method: 'POST', path: '/v1/projects', headers, body: '{' })
  const unknown = await call(server, 'getFeature', { params: { project: 'shop', feature: 'nowhere' } })
  for (const { body } of [malformed, unknown]) expect(body).not.toHaveProperty('issues')
})

it('keeps the errors of evaluation as they are', async () => {
  const { body } = await call(server, 'evaluateVariables', { body: { user_id: 7 } })
  expect(Object.keys(body).sort()).toEqual(['message', 'statusCode'])
})
