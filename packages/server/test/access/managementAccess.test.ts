import { type Operation, operations, permissions } from '@burgee/contract'
import { addClients, tokenFor } from '@burgee/testing/apiClients'
import {
  type ApiResponse,
  call,
  expectContract,
  send,
  serve,
  storeWith,
  type TestServer,
  tokenOf,
  toStoreUrl
} from '@burgee/testing/harness'
import { idOf, keyOf, NOW } from '@burgee/testing/plan'
import { sample } from '@burgee/testing/scale'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'

const DAY_AND_SECOND = 86_401_000

/** The operations that require a token and a permission; ownAccount.test.ts has the others. */
const records = Object.values<Operation>(operations).flatMap((record) => {
  const { credential } = record
  const permission = credential.type === 'token' ? credential.permission : undefined
  return permission ? [{ ...record, permission }] : []
})
const used = permissions.filter((permission) => records.some((record) => record.permission === permission))

let server: TestServer
/** Permission → token of a client with only this one. */
let only: Map<string, string>
/** Permission → token of a client with every other one. */
let allBut: Map<string, string>

beforeAll(async () => {
  const directory = await storeWith({ features: [{ key: 'checkout' }] })
  await addClients(directory, {
    ...Object.fromEntries(used.map((permission, index) => [`only-${index}`, [permission]])),
    ...Object.fromEntries(
      used.map((permission, index) => [`all-but-${index}`, permissions.filter((other) => other !== permission)])
    )
  })
  server = await serve(directory)
  const tokens = (name: string) => {
    return Promise.all(
      used.map(async (permission, index) => [permission, await tokenFor(server, `${name}-${index}`)] as const)
    )
  }
  only = new Map(await tokens('only'))
  allBut = new Map(await tokens('all-but'))
})

/** The path of an operation, with this value for each parameter. */
function addressOf({ path }: Operation, parameter = 'nowhere'): string {
  return path.replace(/\{\w+\}/g, parameter)
}

/** Requests an unknown item: an authorized caller gets 404, or 400 for the body. */
async function ask(record: Operation, headers: Readonly<Record<string, string>>, at = server): Promise<ApiResponse> {
  const answer = await send(at, {
    method: record.method,
    path: addressOf(record),
    headers: { ...(record.body ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(record.body ? { body: '{}' } : {})
  })
  expectContract(record, answer)
  return answer
}

function refusal(status: number, error: string, message: unknown): object {
  return { statusCode: status, message, error }
}

const withoutToken: readonly [string, Record<string, string>][] = [
  ['no header', {}],
  ['an empty header', { authorization: '' }],
  ['Bearer without a token', { authorization: 'Bearer ' }],
  ['a token in X-API-Key', { 'x-api-key': 'aaaa.bbbb.cccc' }]
]

const invalidTokens = [
  ['garbage', 'garbage'],
  ['what only looks like a token', 'Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl'],
  ['an SDK key', keyOf('server')],
  ['another scheme', `Basic ${Buffer.from('test-admin:the-secret-of-the-tests').toString('base64')}`]
] as const

describe.each(sample(records, 40, 'operations'))('$id', (record) => {
  test.each(sample(withoutToken, 1, record.id))('returns 401 to %s', async (_, headers) => {
    const { status, body } = await ask(record, headers)
    const message = 'an access token is missing: it belongs in the Authorization header'
    expect([status, body]).toEqual([401, refusal(401, 'Unauthorized', message)])
  })

  test.each(sample(invalidTokens, 1, record.id))(
    'returns 401 to %s, and does not repeat it',
    async (_, authorization) => {
      const { status, body } = await ask(record, { authorization })
      expect([status, body]).toEqual([
        401,
        refusal(401, 'Unauthorized', expect.stringMatching(/^the token is not valid/))
      ])
      expect(body.message).not.toContain(authorization)
    }
  )

  it('returns 401 to an expired token', async () => {
    const authorization = await tokenOf(server)
    server.clock.now = () => NOW + DAY_AND_SECOND
    const { status, body } = await ask(record, { authorization })
    server.clock.now = () => NOW
    expect([status, body]).toEqual([401, refusal(401, 'Unauthorized', 'jwt expired')])
  })

  it('returns 403 with the missing permission to a token with every other one', async () => {
    const { status, body } = await ask(record, { authorization: allBut.get(record.permission) ?? '' })
    const message = `this operation requires the permission ${record.permission}`
    const missingPermission = record.permission
    expect([status, body]).toEqual([403, { ...refusal(403, 'Forbidden', message), missingPermission }])
  })

  it.each(sample(['', 'Bearer ', 'bearer ', 'BEARER  '], 1, record.id))(
    'accepts a token with that permission alone, after "%s"',
    async (scheme) => {
      const { status } = await ask(record, { authorization: `${scheme}${only.get(record.permission)}` })
      expect([200, 201, 400, 404]).toContain(status)
    }
  )

  it('checks the caller before the request', async () => {
    const query = '?page=0&perPage=x&environment=&sortBy=y&apply=maybe&includeUsage=z&head=h&outcome=w&now=z'
    const nonsense = {
      method: record.method,
      path: `${addressOf(record, '%ff')}${query}`,
      headers: { 'content-type': 'text/plain', 'content-encoding': 'zstd' },
      body: '{'
    }
    const asked = async (authorization: string) => {
      return send(server, { ...nonsense, headers: { ...nonsense.headers, authorization } })
    }
    expect((await send(server, nonsense)).status).toBe(401)
    expect((await asked('garbage')).status).toBe(401)
    expect((await asked(allBut.get(record.permission) ?? '')).status).toBe(403)
    const { status, body } = await asked(await tokenOf(server))
    // An operation without input has nothing to validate.
    const takesNothing = !record.params && !record.query && !record.body
    expect(status).toBe(takesNothing ? record.status : body.statusCode)
    if (!takesNothing) expect([400, 415]).toContain(status)
  })
})

describe('a client', () => {
  const publicUrl = 'https://flags.example.com'

  /** Gets a token, changes the client while the server is stopped, and uses the token afterwards. */
  async function askAfter(change: 'removal' | 'loss'): Promise<ApiResponse> {
    const directory = await storeWith({})
    await addClients(directory, { reader: ['project:read', 'feature:read'] })
    const first = await serve(directory, { publicUrl })
    const key = await tokenFor(first, 'reader')
    expect((await call(first, 'listProjects', { key })).status).toBe(200)
    await first.close()
    const store = await openStore(toStoreUrl(directory))
    if (change === 'removal') await store.collection('clients').remove(idOf('reader'))
    else await store.collection('clients').update(idOf('reader'), { permissions: ['feature:read'] })
    await store.close()
    return call(await serve(directory, { publicUrl }), 'listProjects', { key })
  }

  it('is refused once it is deleted, even with a valid token', async () => {
    const { status, body } = await askAfter('removal')
    expect([status, body.message]).toEqual([401, 'the token is not valid: its client no longer exists'])
  })

  it('loses removed permissions at once, even if its token has them', async () => {
    const { status, body } = await askAfter('loss')
    expect([status, body.message]).toEqual([403, 'this operation requires the permission project:read'])
  })

  it('cannot access a project of another organization, which looks unknown', async () => {
    const directory = await storeWith({ features: [{ key: 'checkout' }] })
    await addClients(directory, { stranger: permissions }, 'org_other')
    const elsewhere = await serve(directory)
    const key = await tokenFor(elsewhere, 'stranger')
    for (const project of ['shop', idOf('shop')]) {
      const answers = [
        await call(elsewhere, 'getProject', { key, params: { key: project } }),
        await call(elsewhere, 'deleteProject', { key, params: { key: project } }),
        await call(elsewhere, 'getFeature', { key, params: { project, feature: 'checkout' } }),
        await call(elsewhere, 'listEnvironments', { key, params: { project } })
      ]
      for (const { status, body } of answers) {
        expect([status, body.message]).toEqual([404, expect.stringContaining(`Item with key '${project}' not found`)])
      }
    }
  })
})

describe('a path of the management API', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
  const addresses = [...new Set(records.map((record) => addressOf(record)))].map((path) => {
    const there = Object.values<Operation>(operations).filter((record) => {
      return new RegExp(`^${record.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
    })
    return { path, known: [...new Set(there.map(({ method }) => method))] }
  })
  const wrong = addresses.flatMap(({ path, known }) => {
    return methods.filter((method) => !known.includes(method)).map((method) => ({ method, path, known }))
  })

  test.each(wrong)('refuses $method $path, and lists its methods', async ({ method, path, known }) => {
    const { status, headers, body } = await send(server, { method, path })
    const allowed = String(headers.allow).split(', ')
    expect(allowed.filter((name) => name !== 'HEAD').sort()).toEqual([...known].sort())
    const message = `${path} supports ${headers.allow}, not ${method}`
    expect([status, body]).toEqual([405, refusal(405, 'Method Not Allowed', message)])
  })

  it.each([
    '/v1/projects/shop/nothing',
    '/v1/projects/shop/features/checkout/nothing',
    '/v1/projects/shop/features/checkout/nothing/at/all',
    '/v2/projects/shop',
    '/v2/projects/shop/audiences',
    '/v2/projects/shop/features/checkout/audit',
    '/v1/organizations/other/members',
    '/v1/semantic/projects/shop',
    '/v1/integrations',
    '/v1/projects//features'
  ])('that is unknown returns 404: %s', async (path) => {
    for (const headers of [{}, { authorization: await tokenOf(server) }]) {
      const { status, body } = await send(server, { path, headers })
      expect([status, body]).toEqual([
        404,
        refusal(404, 'Not Found', `no route for GET ${path}; /docs describes the API`)
      ])
    }
  })
})

describe('a browser', () => {
  const origin = 'https://dashboard.example'

  it('may use DELETE, and send a token, JSON and the kind of its tool', async () => {
    const headers = {
      origin,
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'authorization,content-type,burgee-referrer'
    }
    const answer = await send(server, { method: 'OPTIONS', path: '/v1/projects/shop/variables/checkout', headers })
    expect(answer.status).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(namesIn(answer, 'access-control-allow-methods')).toContain('delete')
    expect(namesIn(answer, 'access-control-allow-headers')).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'burgee-referrer'])
    )
  })

  it('may read the count of a list', async () => {
    const answer = await call(server, 'listProjects', { headers: { origin } })
    expect(answer.headers.count).toBe('1')
    expect(namesIn(answer, 'access-control-expose-headers')).toContain('count')
  })

  it('may read an error', async () => {
    const answer = await call(server, 'listProjects', { headers: { origin }, key: null })
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([401, '*'])
  })

  function namesIn({ headers }: ApiResponse, header: string): string[] {
    return String(headers[header]).toLowerCase().split(/, ?/)
  }
})

it('the server writes no token to the log', async () => {
  const token = await tokenOf(server)
  await call(server, 'listProjects', { key: `${token.slice(0, -4)}AAAA` })
  expect(server.logs.length).toBeGreaterThan(0)
  expect(server.logs.join('')).not.toContain(token.slice(0, -4))
})
