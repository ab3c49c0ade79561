import { type ApiResponse, type Call, call, serve, type TestServer } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { beforeEach, expect, test } from 'vitest'

let server: TestServer

beforeEach(async () => {
  server = await serve({ features: [{ key: 'checkout' }, { key: 'search' }] })
})

const ask = (id: Parameters<typeof call>[1], given: Call = {}): Promise<ApiResponse> =>
  call(server, id, { ...given, params: { project: 'shop', ...given.params } })

const reference = (fileName: string, start: number, members = {}) => ({
  fileName,
  language: 'typescript',
  lineNumbers: { start, end: start },
  ...members
})

const scan = (members: object = {}) => ({
  source: 'github',
  repo: 'example/shop',
  branch: 'main',
  variables: [{ key: 'checkout', references: [reference('src/cart.ts', 12)] }],
  ...members
})

const complete = (body: object = {}) =>
  ask('updateFeatureStatus', {
    params: { feature: 'checkout' },
    body: { status: 'complete', staticVariation: 'variation-on', ...body }
  })

test('the request of the existing action is accepted, and listed by variable', async () => {
  expect((await call(server, 'getProject', { params: { key: 'shop' } })).body.hasReceivedCodeUsages).toBe(false)
  const snippet = { codeSnippet: { lineNumbers: { start: 10, end: 14 }, content: 'if (x) {' } }
  const variables = [
    { key: 'checkout', references: [reference('src/cart.ts', 12, snippet)] },
    { key: 'removed-long-ago', references: [reference('src/old.ts', 3)] }
  ]
  const uploaded = await ask('updateCodeUsages', { body: scan({ variables, somethingElse: true }) })
  expect([uploaded.status, uploaded.body]).toMatchObject([
    200,
    { repo: 'example/shop', branch: 'main', isDefaultBranch: true, references: 2, unknown: ['removed-long-ago'] }
  ])
  const { body, headers } = await ask('listCodeUsages')
  expect(headers.count).toBe('2')
  expect(body).toMatchObject([
    { key: 'checkout', isKnown: true, references: [{ fileName: 'src/cart.ts', ...snippet }] },
    { key: 'removed-long-ago', isKnown: false }
  ])
  expect((await ask('listCodeUsages', { query: { feature: 'search' } })).body).toEqual([])
  expect((await ask('listCodeUsages', { query: { feature: 'checkout' } })).body).toHaveLength(1)
  expect((await call(server, 'getProject', { params: { key: 'shop' } })).body.hasReceivedCodeUsages).toBe(true)
})

test('a scan replaces the one of the same branch, and the default branch is the current one', async () => {
  await ask('updateCodeUsages', { body: scan() })
  server.clock.now = () => NOW + 1000
  await ask('updateCodeUsages', { body: scan({ branch: 'search-box', variables: [] }) })
  await ask('updateCodeUsages', { body: scan({ branch: 'search-box', variables: scan().variables, commit: 'abc' }) })
  expect((await ask('listCodeUsages')).body.map(({ branch }: { branch: string }) => branch)).toEqual([
    'main',
    'search-box'
  ])
  const current = (await ask('listCodeUsages', { query: { current: true } })).body
  expect(current).toMatchObject([{ branch: 'main', scannedAt: new Date(NOW).toISOString() }])
  await ask('deleteCodeUsages', { query: { repo: 'example/shop', branch: 'main' } })
  expect((await ask('listCodeUsages', { query: { current: true } })).body).toMatchObject([
    { branch: 'search-box', commit: 'abc' }
  ])
  expect((await ask('deleteCodeUsages', { query: { repo: 'example/shop', branch: 'main' } })).status).toBe(404)
})

test('a feature whose variables are read is completed only by those who know it', async () => {
  await ask('updateCodeUsages', { body: scan() })
  const refused = await complete()
  expect([refused.status, refused.body.errorType]).toEqual([409, 'ERR_CODE_USAGES'])
  expect(refused.body.message).toContain('src/cart.ts (line 12) in example/shop (main)')
  expect((await complete({ ignoreCodeUsages: true })).body.status).toBe('complete')
})

test.each([
  ['tests', { variables: [{ key: 'checkout', references: [reference('src/cart.test.ts', 1, { isTest: true })] }] }],
  ['other variables', { variables: [{ key: 'search', references: [reference('src/search.ts', 1)] }] }]
])('reads in %s do not keep a feature from being completed', async (_, members) => {
  await ask('updateCodeUsages', { body: scan(members) })
  expect((await complete()).status).toBe(200)
})

test('reads of another branch than the default one do not keep a feature from being completed', async () => {
  await ask('updateCodeUsages', { body: scan({ branch: 'old', isDefaultBranch: false }) })
  await ask('updateCodeUsages', { body: scan({ variables: [] }) })
  expect((await complete()).status).toBe(200)
})

test('a project can complete features regardless of code', async () => {
  const settings = { lifeCycle: { disableCodeRefChecks: true } }
  await call(server, 'updateProject', { params: { key: 'shop' }, body: { settings } })
  await ask('updateCodeUsages', { body: scan() })
  expect((await complete()).status).toBe(200)
})

test('a reference without a line is refused', async () => {
  const references = [reference('a.ts', 0)]
  const { status, body } = await ask('updateCodeUsages', {
    body: scan({ variables: [{ key: 'checkout', references }] })
  })
  expect([status, body.message[0]]).toEqual([400, expect.stringContaining('lineNumbers.start')])
})
