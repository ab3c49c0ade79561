import { type Operation, operations } from '@burgee/contract'
import { type ApiResponse, call, send, serve, type TestServer } from '@burgee/testing/harness'
import { keyOf, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { clientUser } from '../support/clientUser.ts'

const plan: Plan = { settings: { edgeDB: { enabled: true } }, features: [{ key: 'plain' }] }
const origin = 'https://shop.example'

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

/** The names that a header lists. */
function namesIn({ headers }: ApiResponse, header: string): string[] {
  return String(headers[header]).toLowerCase().split(/, ?/)
}

/** The preflight request of a browser. */
function preflight(path: string, method: string, ...headers: string[]): Promise<ApiResponse> {
  const asked = { 'access-control-request-method': method, 'access-control-request-headers': headers.join(',') }
  return send(server, { method: 'OPTIONS', path, headers: { origin, ...asked } })
}

/** All headers of browser SDKs and of tools. */
const sent = [
  'authorization',
  'burgee-referrer',
  'cache-control',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'x-api-key',
  'x-burgee-user-hash'
]

describe('a CORS preflight', () => {
  const records = Object.values<Operation>(operations).filter(({ responseKind: answer }) => answer !== 'stream')

  test.each(records.map(({ method, path }) => [method, path]))('allows %s %s', async (method, path) => {
    const answer = await preflight(path.replace(/\{\w+\}/g, 'plain'), method, ...sent)
    expect(answer.status).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    expect(namesIn(answer, 'access-control-allow-methods')).toContain(method.toLowerCase())
    expect(namesIn(answer, 'access-control-allow-headers')).toEqual(expect.arrayContaining(sent))
  })

  it('allows credentials for the stream', async () => {
    const answer = await preflight(`/event-stream?sdkKey=${keyOf('client')}`, 'GET', 'cache-control', 'last-event-id')
    expect(answer.status).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toBe(origin)
    expect(answer.headers['access-control-allow-credentials']).toBe('true')
    expect(namesIn(answer, 'vary')).toContain('origin')
  })

  test.each(['/oauth/authorize', '/oauth/interactions/x', '/oauth/callback'])(
    'allows nothing for %s, which are pages for users',
    async (path) => {
      const answer = await preflight(path, 'POST', 'content-type')
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    }
  )
})

describe('a page can read', () => {
  const bulk = '/ofrep/v1/evaluate/flags'
  const config = `/v1/sdkConfig?${new URLSearchParams(clientUser('ada'))}`

  test.each([
    ['an answer', 'POST', bulk, 200, keyOf('client'), '{"context":{"targetingKey":"ada"}}'],
    ['a client config', 'GET', config, 200, keyOf('client'), undefined],
    ['a 400', 'POST', bulk, 400, keyOf('client'), '{'],
    ['a 400 of a client config', 'GET', '/v1/sdkConfig', 400, keyOf('client'), undefined],
    ['a 401', 'POST', bulk, 401, 'client-unknown', '{}'],
    ['a 401 of a client config', 'GET', config, 401, 'client-unknown', undefined],
    ['a 403', 'GET', config, 403, keyOf('server'), undefined],
    ['a 404', 'GET', '/nowhere', 404, keyOf('client'), undefined],
    ['a 405', 'PUT', '/v1/sdkConfig', 405, keyOf('client'), '{}'],
    ['a 401 of the management API', 'GET', '/v1/projects', 401, 'a token', undefined]
  ])('%s and the headers it needs', async (_, method, path, status, authorization, body) => {
    const headers = { origin, authorization, 'content-type': 'application/json' }
    const answer = await send(server, { method, path, headers, ...(body === undefined ? {} : { body }) })
    expect(answer.status).toBe(status)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    const exposed = ['count', 'etag', 'retry-after', 'retry-later', 'x-request-id']
    expect(namesIn(answer, 'access-control-expose-headers')).toEqual(expect.arrayContaining(exposed))
  })

  it.each([
    ['a config', `/config/v2/server/${keyOf('server')}.json`, 200, 'accept-encoding'],
    ['a client config', config, 401, undefined],
    ['nothing', '/nowhere', 404, undefined]
  ])('%s with headers for caches shared by all origins', async (_, path, status, vary) => {
    for (const headers of [{}, { origin }, { origin: 'https://other.example' }]) {
      const answer = await send(server, { path, headers })
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([status, '*'])
      expect(answer.headers.vary).toBe(vary)
    }
    const stream = await send(server, { path: '/event-stream?sdkKey=client-unknown', headers: { origin } })
    expect(namesIn(stream, 'vary')).toContain('origin')
  })

  it('a 304', async () => {
    const given = { body: { context: { targetingKey: 'ada' } }, headers: { origin, 'if-none-match': '*' } }
    const answer = await call(server, 'ofrepEvaluateFlags', given)
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([304, '*'])
  })

  it('the error of a stream requested with credentials', async () => {
    const answer = await send(server, { path: '/event-stream?sdkKey=client-unknown', headers: { origin } })
    expect(answer.status).toBe(401)
    expect(answer.headers['access-control-allow-origin']).toBe(origin)
    expect(answer.headers['access-control-allow-credentials']).toBe('true')
  })

  it('nothing with the session cookies', async () => {
    const answer = await send(server, { path: '/oauth/authorize?client_id=x', headers: { origin } })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('an open stream', () => {
  it.each([
    ['names the page that may read it', origin, origin, 'true'],
    ['names a page without an address', 'null', 'null', 'true'],
    ['allows any origin without an Origin header', undefined, '*', null]
  ])('%s', async (_, from, allowed, credentials) => {
    const address = `${server.url}/event-stream?sdkKey=${keyOf('client')}`
    const ending = new AbortController()
    const { status, headers } = await fetch(address, {
      headers: from === undefined ? {} : { origin: from },
      signal: ending.signal
    })
    ending.abort()
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe(allowed)
    expect(headers.get('access-control-allow-credentials')).toBe(credentials)
  })
})
