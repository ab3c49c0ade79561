// Long because all tests share one endpoint: rejected requests, authentication, scopes and sessions.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { permissions } from '@burgee/contract'
import type { TokenSource } from '@burgee/contract/client'
import { type ApiResponse, send, serve, type TestServer } from '@burgee/testing/harness'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import type { AuthInfo } from '../../src/http/authenticate.ts'
import { createToolEndpoint, type ToolEndpoint } from '../../src/http/toolEndpoint.ts'
import { addCleanup, adminTokens, createContext } from '../support/context.ts'
import { type Connection, connect, type Program } from './connections.ts'
import { headersOf, initialize, metaOf, requestOf } from './wire.ts'

const ALL = ['everything', ...permissions]

/** Token → caller. Each caller has a token source of its own, whose uses are recorded. */
const bearers: Readonly<Record<string, Partial<AuthInfo>>> = {
  ada: { id: 'ada' },
  'ada-again': { id: 'ada' },
  'ada-elsewhere': { id: 'ada', clientId: 'other-app' },
  bob: { id: 'bob' },
  late: { id: 'ada', expiresAt: 1 },
  reader: { id: 'ada', scopes: ['feature:read', 'project:read'] }
}

let api: TestServer
let server: Mounted
let now = Date.now()
/** The tokens of API requests, by the token of the MCP request. */
const used: string[] = []

interface Mounted {
  readonly port: number
  readonly url: string
  readonly endpoint: ToolEndpoint
}

beforeAll(async () => {
  api = await serve({ features: [{ key: 'checkout' }] })
  server = await mount()
})

beforeEach(() => {
  now = Date.now()
  used.length = 0
})

async function mount(): Promise<Mounted> {
  const context = { ...createContext(api, { project: '' }), kind: 'Remote' as const }
  const admin = adminTokens(api)
  let port = 0
  const endpoint = createToolEndpoint({
    context,
    resource: () => `http://127.0.0.1:${port}/mcp`,
    authorizationServer: () => `${api.url}/`,
    verify: async (token) => {
      if (token === 'unverifiable') throw Object.assign(new Error('the keys cannot be fetched'), { status: 503 })
      const bearer = bearers[token]
      if (!bearer) throw Object.assign(new Error('the token is not "one" of ours ✗'), { status: 401 })
      const expiresAt = Math.floor(now / 1000) + 3600
      return { id: '', clientId: 'app', scopes: ALL, expiresAt, tokens: counted(admin, token), ...bearer }
    },
    now: () => now
  })
  const listener = createServer(async (request, response) => {
    if (!(await endpoint.handle(request, response))) response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))
  addCleanup(() => {
    listener.close()
    listener.closeAllConnections()
    return endpoint.close()
  })
  // A server that listens on a port has an address of this form.
  port = (listener.address() as AddressInfo).port
  return { port, url: `http://127.0.0.1:${port}/mcp`, endpoint }
}

function counted(tokens: TokenSource, token: string): TokenSource {
  return {
    ...tokens,
    getToken: (operation) => {
      used.push(token)
      return tokens.getToken(operation)
    }
  }
}

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

type Headers = Readonly<Record<string, string>>

function post(message: unknown, headers: Headers = {}, body = JSON.stringify(message)): Promise<ApiResponse> {
  return send(server, {
    method: 'POST',
    path: '/mcp',
    headers: { ...json, authorization: 'Bearer ada', ...headers },
    body
  })
}

const list = requestOf(2, 'tools/list')

/** Builds a stateless request. */
function statelessRequest(method: string, params: object = {}) {
  return requestOf(3, method, { ...params, _meta: metaOf() })
}

let calls = 100

function callOf(name: string, given: object) {
  return requestOf(calls++, 'tools/call', { name, arguments: given })
}

/** Starts a session and returns its id. */
async function begin(token = 'ada'): Promise<string> {
  const answer = await post(initialize, { authorization: `Bearer ${token}` })
  expect(answer.status).toBe(200)
  return String(answer.headers['mcp-session-id'])
}

/** Builds a message whose parameters are nested this deep. */
function nested(levels: number): string {
  return `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`
}

describe('rejects a request', () => {
  it.each([
    ['for a foreign name that resolves to this server', { host: 'evil.example' }],
    ['for a name that is none', { host: 'x@127.0.0.1' }],
    ['from a page of another host', { origin: 'https://evil.example' }],
    ['from a page without an address', { origin: 'null' }]
  ])('%s', async (_, headers) => {
    const answer = await post(initialize, headers)
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, undefined])
    const [, names = ''] = /one of ([^"]*)/.exec(JSON.stringify(answer.body)) ?? []
    expect(names).toBe([...new Set(names.split(', '))].join(', '))
  })

  it.each(['GET', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE'])('by %s', async (method) => {
    const answer = await send(server, { method, path: '/mcp', headers: { ...json, authorization: 'Bearer ada' } })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, DELETE'])
  })

  it.each([
    ['of no type', { 'content-type': '' }, '{}', 415],
    ['of another type', { 'content-type': 'text/plain' }, '{}', 415],
    ['that is compressed', { 'content-encoding': 'gzip' }, '{}', 415],
    ['that is not JSON', {}, '{"jsonrpc":', 400],
    ['that is empty', {}, '', 400],
    ['that is too deep', {}, nested(100_000), 400],
    ['that is nothing but quotation marks', {}, '\\"'.repeat(500_000), 400],
    ['that is not a message', {}, '{"hello":1}', 400],
    ['that is a number', {}, '5', 400],
    ['that is null', {}, 'null', 400],
    ['that is a batch of nothing', {}, '[]', 400],
    ['that is too large', {}, JSON.stringify('x'.repeat(1024 * 1024)), 413]
  ])('with a body %s', async (_, headers, body, status) => {
    const answer = await post(undefined, headers, body)
    expect([answer.status, answer.body.jsonrpc]).toEqual([status, '2.0'])
  })

  it('with a body whose object has more than 2,000 members', async () => {
    const extra = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`k${index}`, 1]))
    const { status, body } = await post({ ...initialize, params: { ...initialize.params, ...extra } })
    expect([status, body.error.message]).toEqual([400, 'an object of the body has more than 2000 members'])
  })

  it('with a body that turns out to be too large', async () => {
    const body = JSON.stringify('x'.repeat(3 * 1024 * 1024))
    const headers = { ...json, authorization: 'Bearer ada' }
    const answer = await send(server, { method: 'POST', path: '/mcp', headers, body, isChunked: true })
    expect(answer.status).toBe(413)
    expectWait(answer, 3600)
  })

  it('with bytes that are not UTF-8', async () => {
    const [before, after] = JSON.stringify({ ...initialize, id: 'xx' }).split('xx') as [string, string]
    const body = Buffer.concat([Buffer.from(before), Buffer.from([255, 254]), Buffer.from(after)])
    const headers = { ...json, authorization: 'Bearer ada' }
    expect((await send(server, { method: 'POST', path: '/mcp', headers, body })).status).toBe(400)
  })

  it.each([
    ['a list without a session', list, {}, 400],
    ['a list of a session that never was', list, { 'mcp-session-id': 'never' }, 404],
    ['a session that asks for one answer form', initialize, { accept: 'application/json' }, 406],
    [
      'a version that is not there',
      statelessRequest('tools/list'),
      { ...headersOf('tools/list'), 'mcp-protocol-version': '2030-01-01' },
      400
    ],
    ['headers that do not match', statelessRequest('tools/list'), headersOf('tools/call'), 400],
    ['an unknown method', statelessRequest('tools/forget'), headersOf('tools/forget'), 404]
  ])('%s', async (_, message, headers, status) => {
    expect((await post(message, headers)).status).toBe(status)
  })

  it('and handles the next one', async () => {
    expect((await post(statelessRequest('tools/list'), headersOf('tools/list'))).body.result.tools).toHaveLength(22)
  })
})

describe('authentication', () => {
  const metadata = () => `resource_metadata="http://127.0.0.1:${server.port}/.well-known/oauth-protected-resource/mcp"`

  it('answers a request without a token with a challenge and no error code', async () => {
    const answer = await send(server, { method: 'POST', path: '/mcp', headers: json, body: JSON.stringify(initialize) })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer ${metadata()}, scope="project:read environment:read feature:read feature:write feature:publish feature:delete variable:read variable:write"`
    )
  })

  it.each(['Bearer nobody', 'Bearer late', 'Bearer', 'Basic YWRhOmFkYQ==', 'ada', 'Bearer ada ada'])(
    'returns 401 with the error invalid_token to "%s"',
    async (authorization) => {
      const answer = await post(initialize, { authorization })
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", error_description="/)
      expect(answer.headers['www-authenticate']).toContain(metadata())
    }
  )

  it('returns 503 while tokens cannot be verified', async () => {
    const answer = await post(initialize, { authorization: 'Bearer unverifiable' })
    expect(answer.status).toBe(503)
    expectWait(answer, 1)
  })

  it('rejects a token in the URL', async () => {
    const answer = await send(server, { method: 'POST', path: '/mcp?access_token=ada', headers: json, body: '{}' })
    expect(answer.status).toBe(401)
  })

  it.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])(
    'finds at %s who gives tokens out',
    async (path) => {
      const { status, headers, body } = await send(server, { path, headers: { origin: 'https://page.example' } })
      expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
      expect(body).toMatchObject({ resource: server.url, authorization_servers: [`${api.url}/`] })
      expect(body.scopes_supported).toEqual(ALL)
      expect((await send(server, { method: 'POST', path })).status).toBe(405)
    }
  )

  it.each(['/sse', '/mcp/', '/MCP', '/', '/.well-known/oauth-protected-resource/other'])(
    'finds nothing at %s',
    async (path) => {
      expect((await send(server, { path, headers: { authorization: 'Bearer ada' } })).status).toBe(404)
    }
  )
})

describe('a token without a required scope', () => {
  const headers = { authorization: 'Bearer reader' }

  it.each([
    [
      'in a session',
      async () => {
        const id = await begin('reader')
        return post(callOf('delete_feature', { key: 'x', projectKey: 'shop' }), { ...headers, 'mcp-session-id': id })
      }
    ],
    [
      'in a stateless request',
      () => {
        const message = statelessRequest('tools/call', {
          name: 'delete_feature',
          arguments: { key: 'x', projectKey: 'shop' }
        })
        return post(message, { ...headers, ...headersOf('tools/call', 'delete_feature') })
      }
    ]
  ])('is answered with what to ask for %s', async (_, call) => {
    const answer = await call()
    expect(answer.status).toBe(403)
    expect(answer.headers['www-authenticate']).toMatch(/error="insufficient_scope"/)
    expect(answer.headers['www-authenticate']).toMatch(
      /scope="feature:delete feature:publish environment:read feature:read project:read"/
    )
    expect(answer.headers['www-authenticate']).toMatch(/resource_metadata="/)
    expect(used).toEqual([])
  })

  it('is accepted for other tools', async () => {
    const message = statelessRequest('tools/call', { name: 'list_features', arguments: { projectKey: 'shop' } })
    const answer = await post(message, { ...headers, ...headersOf('tools/call', 'list_features') })
    expect(answer.body.result.structuredContent.total).toBe(1)
  })
})

describe('a session', () => {
  it.each(['bob', 'ada-elsewhere'])('that another person began does not exist for %s', async (token) => {
    const headers = { 'mcp-session-id': await begin(), authorization: `Bearer ${token}` }
    const never = await post(list, { ...headers, 'mcp-session-id': 'never' })
    const answer = await post(list, headers)
    expect([answer.status, answer.body]).toEqual([404, never.body])
    const ended = await send(server, { method: 'DELETE', path: '/mcp', headers })
    expect(ended.status).toBe(404)
    expect((await post(list, { ...headers, authorization: 'Bearer ada' })).status).toBe(200)
  })

  it('calls the API with the token of each request', async () => {
    const id = await begin('reader')
    const ask = (token: string) => {
      const call = callOf('get_self_targeting_identity', { projectKey: 'shop' })
      return post(call, { 'mcp-session-id': id, authorization: `Bearer ${token}` })
    }
    await Promise.all([ask('ada'), ask('ada-again')])
    expect(used.sort()).toEqual(['ada', 'ada-again'])
    expect((await ask('late')).status).toBe(401)
    const complete = requestOf(5, 'completion/complete', {
      ref: { type: 'ref/prompt', name: 'cleanup-feature' },
      argument: { name: 'featureKey', value: 'che' }
    })
    used.length = 0
    const choose = callOf('select_project', { projectKey: 'shop' })
    await post(choose, { 'mcp-session-id': id, authorization: 'Bearer ada' })
    const answer = await post(complete, { 'mcp-session-id': id, authorization: 'Bearer ada-again' })
    expect(answer.body).toContain('"checkout"')
    expect(new Set(used)).toEqual(new Set(['ada', 'ada-again']))
  })

  it('keeps the selected project until it ends', async () => {
    const headers = { 'mcp-session-id': await begin() }
    expect((await post(callOf('list_features', {}), headers)).body).toContain('PROJECT_ERROR')
    await post(callOf('select_project', { projectKey: 'shop' }), headers)
    expect((await post(callOf('list_features', {}), headers)).body).toContain('The checkout')
    const other = { 'mcp-session-id': await begin() }
    expect((await post(callOf('list_features', {}), other)).body).toContain('PROJECT_ERROR')
    const authorization = 'Bearer ada'
    expect(
      (await send(server, { method: 'DELETE', path: '/mcp', headers: { ...headers, authorization } })).status
    ).toBe(200)
    expect((await post(list, headers)).status).toBe(404)
  })

  it('ends after half an hour without use', async () => {
    const [idle, used] = [await begin(), await begin()]
    now += 20 * 60_000
    expect((await post(list, { 'mcp-session-id': used })).status).toBe(200)
    now += 15 * 60_000
    expect((await post(list, { 'mcp-session-id': used })).status).toBe(200)
    expect((await post(list, { 'mcp-session-id': idle })).status).toBe(404)
  })

  it('is ended when its caller exceeds twenty sessions, the least recently used one first', async () => {
    const [oldest = '', second = ''] = [await begin('bob'), await begin('bob')]
    const kept = await begin()
    now += 1
    const as = { authorization: 'Bearer bob' }
    expect((await post(list, { ...as, 'mcp-session-id': oldest })).status).toBe(200)
    for (let count = 2; count < 21; count++) await begin('bob')
    expect((await post(list, { ...as, 'mcp-session-id': second })).status).toBe(404)
    expect((await post(list, { ...as, 'mcp-session-id': oldest })).status).toBe(200)
    expect((await post(list, { 'mcp-session-id': kept })).status).toBe(200)
  })
})

test('stateless requests share no state', async () => {
  const ask = async (name: string, given: object) => {
    const answer = await post(statelessRequest('tools/call', { name, arguments: given }), headersOf('tools/call', name))
    return answer.body.result.content[0].text
  }
  expect(await ask('select_project', { projectKey: 'shop' })).toContain('pass projectKey')
  expect(await ask('list_features', {})).toContain('PROJECT_ERROR')
})

const programs: readonly Program[] = [
  { generation: 'first', canElicit: true },
  { generation: 'second', mode: 'legacy', canElicit: true },
  { generation: 'second', mode: 'pinned', canElicit: true }
]

describe.each(programs)('a client of the $generation generation ($mode)', (program) => {
  let client: Connection

  beforeAll(async () => {
    client = await connect(program, { url: server.url, token: 'ada' })
  })

  it('lists the tools', async () => {
    expect(await client.list()).toHaveLength(22)
  })

  it('asks before a deletion, and respects a decline', async () => {
    client.person.says = () => ({ action: 'decline' })
    const answer = await client.call('delete_feature', { key: 'checkout', projectKey: 'shop' })
    expect(answer.isError).toBeFalsy()
    expect(JSON.stringify(answer.structuredContent)).toContain('Nothing was changed')
    expect(client.person.asked).toHaveLength(1)
    const { structuredContent } = await client.call('list_features', { projectKey: 'shop' })
    expect(structuredContent).toMatchObject({ total: 1 })
  })

  it('proceeds after acceptance', async () => {
    client.person.says = () => ({ action: 'accept', content: { confirm: true } })
    const name = `as ${program.generation} ${program.mode}`
    const given = { key: 'checkout', name, projectKey: 'shop' }
    const { structuredContent } = await client.call('update_feature', given)
    expect(structuredContent).toMatchObject({ result: { name } })
  })
})

test('responds to no request with an internal error, for any bytes', async () => {
  const messages = [initialize, list, statelessRequest('tools/call', { name: 'list_features' }), callOf('nothing', {})]
  for (const message of messages) {
    const text = JSON.stringify(message)
    for (let index = 0; index < 40; index++) {
      const at = (index * 7919) % text.length
      const body = text.slice(0, at) + '0"{}[]:,\\nx'[index % 10] + text.slice(at + 1)
      expect((await post(undefined, {}, body)).status).toBeLessThan(500)
    }
  }
})

test('finishes calls in progress when it closes, and rejects new ones', async () => {
  const other = await mount()
  const client = await connect(
    { generation: 'second', mode: 'legacy', canElicit: true },
    { url: other.url, token: 'ada' }
  )
  let closing: Promise<void> | undefined
  client.person.says = () => {
    closing = other.endpoint.close()
    return { action: 'decline' }
  }
  const answer = await client.call('delete_feature', { key: 'checkout', projectKey: 'shop' })
  expect(JSON.stringify(answer.structuredContent)).toContain('Nothing was changed')
  await closing
  const headers = { ...json, authorization: 'Bearer ada' }
  const refused = await send(other, { method: 'POST', path: '/mcp', headers, body: JSON.stringify(initialize) })
  expect(refused.status).toBe(503)
  expectWait(refused, 1)
})

test('limits the requests in progress of a session, and names the limit', async () => {
  const capable = { ...initialize, params: { ...initialize.params, capabilities: { elicitation: {} } } }
  const session = { 'mcp-session-id': String((await post(capable)).headers['mcp-session-id']) }
  const headers = { ...json, ...session, authorization: 'Bearer ada' }
  // Each call asks the person, and gets no response.
  const callUnanswered = () => {
    const body = JSON.stringify(callOf('delete_feature', { key: 'checkout', projectKey: 'shop' }))
    return fetch(server.url, { method: 'POST', headers, body })
  }
  const pending = await Promise.all(Array.from({ length: 20 }, callUnanswered))
  // Refers to the responses until the end of the test: fetch closes the connections of those that are garbage.
  addCleanup(() => Promise.all(pending.map(({ body }) => body?.cancel())))
  expect(pending.map(({ status }) => status)).toEqual(Array(20).fill(200))
  const refused = await post(list, session)
  expect(refused.status).toBe(429)
  expect(refused.body.error.message).toMatch(/^20 requests of this session are in progress, which is the limit/)
  expectWait(refused, 1)
})

/** Expects both headers that ask a client to wait. */
function expectWait({ headers }: ApiResponse, seconds: number): void {
  expect(headers['retry-after']).toBe(String(seconds))
  expect(headers['retry-later']).toBe(new Date(now + seconds * 1000).toISOString())
}
