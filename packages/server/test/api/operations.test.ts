import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { operations } from '@burgee/contract'
import {
  breakClock,
  call,
  options,
  send,
  serve,
  storeOnDisk,
  storeWith,
  type TestServer,
  toStoreUrl
} from '@burgee/testing/harness'
import type { Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { startServer } from '../../src/server.ts'

const plan: Plan = { settings: { edgeDB: { enabled: true } }, features: [{ key: 'plain' }] }

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

describe('health', () => {
  it.each(['/livez', '/readyz'])('%s answers ok', async (path) => {
    const { status, body } = await send(server, { path })
    expect(status).toBe(200)
    expect(body).toEqual({ status: 'ok' })
  })

  it('reports that the store refuses writes, while evaluation continues', async () => {
    const failing = await serve(await storeOnDisk(plan))
    await rm(failing.directory, { recursive: true })
    const write = { params: { user_id: 'ada' }, body: { user_id: 'ada', country: 'CA' } }
    const refused = await call(failing, 'updateEdgeUser', write)
    expect(refused.status).toBe(503)
    expect(refused.headers['retry-after']).toBe('1')
    const ready = await send(failing, { path: '/readyz' })
    expect(ready.status).toBe(503)
    expect(ready.body).toEqual({ status: 'unavailable', message: 'the store does not accept writes' })
    expect((await send(failing, { path: '/readyz?exclude=writes' })).body).toEqual({ status: 'ok' })
    expect((await send(failing, { path: '/livez' })).status).toBe(200)
    expect((await call(failing, 'evaluateVariables', { body: { user_id: 'ada' } })).body).toHaveProperty('plain')
  })

  it('logs one line for each failed request, the reason of an outage once, and no error for a probe', async () => {
    const failing = await serve(await storeOnDisk(plan))
    await rm(failing.directory, { recursive: true })
    const write = { params: { user_id: 'ada' }, body: { user_id: 'ada', country: 'CA' } }
    for (let count = 0; count < 5; count++) expect((await call(failing, 'updateEdgeUser', write)).status).toBe(503)
    expect((await send(failing, { path: '/readyz' })).status).toBe(503)
    const errors = failing.logs.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
    expect(errors.filter(({ msg }) => msg === 'request').map(({ operation }) => operation)).toEqual(
      Array.from({ length: 5 }, () => 'updateEdgeUser')
    )
    expect(errors.filter(({ err }) => err?.stack !== undefined)).toHaveLength(1)
  })

  it('rejects the name of an unknown check', async () => {
    const { status, body } = await send(server, { path: '/readyz?exclude=store' })
    expect([status, body.message]).toEqual([400, 'exclude should be writes, got store'])
  })

  it('reports that events cannot be stored until they can', async () => {
    const failing = await serve(await storeOnDisk(plan))
    const events = join(failing.directory, 'events')
    const ready = () => send(failing, { path: '/readyz' })
    await rename(events, `${events} elsewhere`)
    const report = { body: { user: { user_id: 'ada' }, events: [{ type: 'bought' }] } }
    const refused = await call(failing, 'track', report)
    expect(refused.status).toBe(503)
    expect(refused.body.message).toBe('the store failed; no event was stored. Try again later')
    expect((await ready()).body).toEqual({ status: 'unavailable', message: 'events cannot be stored' })
    await rename(`${events} elsewhere`, events)
    expect((await call(failing, 'track', report)).status).toBe(201)
    expect((await ready()).status).toBe(200)
  })

  it('finds by itself that events can be stored again', async () => {
    const failing = await serve(await storeOnDisk(plan))
    const events = join(failing.directory, 'events')
    const ready = async () => (await send(failing, { path: '/readyz' })).status
    await rename(events, `${events} elsewhere`)
    const report = { body: { user: { user_id: 'ada' }, events: [{ type: 'bought' }] } }
    expect((await call(failing, 'track', report)).status).toBe(503)
    expect(await ready()).toBe(503)
    await rename(`${events} elsewhere`, events)
    await expect.poll(ready, { timeout: 30_000 }).toBe(200)
    expect((await call(failing, 'track', report)).status).toBe(201)
  })
})

describe('/metrics', () => {
  async function count(operation: string, status: number): Promise<number> {
    const { body } = await send(server, { path: '/metrics' })
    const line = new RegExp(
      `^burgee_http_request_duration_seconds_count\\{operation="${operation}",method="POST",status="${status}"\\} (\\d+)$`,
      'm'
    )
    return Number(line.exec(body)?.[1] ?? 0)
  }

  it('counts requests by operation and status', async () => {
    const done = await count('evaluateVariables', 200)
    const refused = await count('evaluateVariables', 401)
    for (let index = 0; index < 3; index++) await call(server, 'evaluateVariables', { body: { user_id: 'ada' } })
    await call(server, 'evaluateVariables', { key: null })
    expect(await count('evaluateVariables', 200)).toBe(done + 3)
    expect(await count('evaluateVariables', 401)).toBe(refused + 1)
  })

  it('has no labels for unknown paths', async () => {
    for (let index = 0; index < 5; index++) await send(server, { method: 'POST', path: `/nowhere/${index}` })
    const { body, headers } = await send(server, { path: '/metrics' })
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(body).toContain('operation="none",method="POST",status="404"')
    expect(body).not.toContain('nowhere')
  })

  it('reports how many environments are ready', async () => {
    expect((await send(server, { path: '/metrics' })).body).toMatch(/^burgee_configs 1$/m)
  })
})

/** Resolves a part of an OpenAPI document, which may be a reference. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape.
function resolved(document: any, node: { $ref?: string }): any {
  const steps = node.$ref?.split('/').slice(1)
  return steps ? steps.reduce((place, step) => place?.[step], document) : node
}

describe('/openapi.json', () => {
  it('lists every operation', async () => {
    const { status, body } = await send(server, { path: '/openapi.json' })
    expect(status).toBe(200)
    expect(body.openapi).toBe('3.1.0')
    const listed = Object.entries<object>(body.paths).flatMap(([path, methods]) => {
      return Object.entries<{ operationId: string }>(methods as never).map(([method, { operationId }]) => [
        operationId,
        method.toUpperCase(),
        path
      ])
    })
    const expected = Object.values(operations).map(({ id, method, path }) => [id, method, path])
    expect(listed.sort()).toEqual(expected.sort())
  })

  it('resolves all of its references', async () => {
    const { body } = await send(server, { path: '/openapi.json' })
    const references = JSON.stringify(body).match(/(?<="\$ref":")[^"]+/g) ?? []
    expect(references.length).toBeGreaterThan(9)
    for (const $ref of new Set(references)) expect(resolved(body, { $ref }), $ref).toBeDefined()
  })

  it('describes every response and names only keys that it explains', async () => {
    const { body } = await send(server, { path: '/openapi.json' })
    const { securitySchemes } = body.components
    for (const record of Object.values(operations)) {
      const { responses, security, requestBody } = body.paths[record.path][record.method.toLowerCase()]
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining([String(record.status), ...Object.keys(record.errors)])
      )
      for (const response of Object.values<object>(responses)) {
        expect(resolved(body, response).description).toMatch(/./)
      }
      // A key in the path is a parameter, and not a security scheme.
      expect(security.length > 0).toBe(!('inPath' in record.credential))
      for (const scheme of security.flatMap(Object.keys)) expect(Object.keys(securitySchemes)).toContain(scheme)
      expect(requestBody?.content['application/json'].schema !== undefined).toBe('body' in record)
    }
  })

  it('names every parameter of every path', async () => {
    const { body } = await send(server, { path: '/openapi.json' })
    for (const [path, methods] of Object.entries<object>(body.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters } of Object.values<{ parameters: object[] }>(methods as never)) {
        const inPath = parameters.map((each) => resolved(body, each)).filter((parameter) => parameter.in === 'path')
        expect(inPath.map(({ name }) => name)).toEqual(names)
        expect(inPath.every(({ required }) => required)).toBe(true)
      }
    }
  })

  test.each([
    ['', () => server.url],
    ['https://flags.example.com/base', () => 'https://flags.example.com/base']
  ])('names the public address %j as the server', async (publicUrl, url) => {
    const named = publicUrl ? await serve({}, { publicUrl }) : server
    expect((await send(named, { path: '/openapi.json' })).body.servers).toEqual([{ url: url() }])
  })

  it('is the same text in each encoding, with an ETag', async () => {
    const plain = await send(server, { path: '/openapi.json' })
    const response = await fetch(`${server.url}/openapi.json`, { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect([response.headers.get('etag'), await response.json()]).toEqual([plain.headers.etag, plain.body])
    const headers = { 'if-none-match': String(plain.headers.etag) }
    expect((await send(server, { path: '/openapi.json', headers })).status).toBe(304)
  })

  it('ignores the Host header', async () => {
    const { body } = await send(server, { path: '/openapi.json', headers: { host: 'evil.example@x' } })
    expect(JSON.stringify(body)).not.toContain('evil')
  })
})

describe('the request id', () => {
  it('is generated, and differs for each request', async () => {
    const [first, second] = [await send(server, { path: '/livez' }), await send(server, { path: '/livez' })]
    expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id'])
  })

  it('is never the caller’s without a trusted proxy', async () => {
    const { headers } = await send(server, { path: '/nowhere', headers: { 'x-request-id': 'trace-4711.a_b' } })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('is that of a trusted proxy if it is safe to log', async () => {
    const proxied = await serve({}, { trustedProxies: 1 })
    const { headers } = await send(proxied, { path: '/nowhere', headers: { 'x-request-id': 'trace-4711.a_b' } })
    expect(headers['x-request-id']).toBe('trace-4711.a_b')
    expect(proxied.logs.join('')).toContain('trace-4711.a_b')
    for (const given of ['<b>', 'a b', 'x'.repeat(65), '{"a":1}']) {
      const answer = await send(proxied, { path: '/livez', headers: { 'x-request-id': given } })
      expect([given, answer.headers['x-request-id']]).toEqual([given, expect.stringMatching(/^[0-9a-f-]{36}$/)])
    }
  })
})

describe('a path that', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v2/variables',
    '/v1/variables/a/b',
    '/favicon.ico',
    '//',
    '/v1//variables',
    '/V1/Variables'
  ])('is unknown returns 404: %s', async (path) => {
    const { status, body } = await send(server, { method: 'POST', path })
    expect(status).toBe(404)
    expect(body).toEqual({ statusCode: 404, message: expect.stringContaining(`POST ${path}`) })
  })

  test.each([
    ['GET', '/v1/variables', 'POST'],
    ['DELETE', '/v1/variables/plain', 'POST'],
    ['POST', '/v1/edgedb/ada', 'PATCH'],
    ['POST', '/v1/optInConfig', 'GET'],
    ['POST', '/livez', 'GET']
  ])('does not support %s returns 405 with the allowed methods: %s', async (method, path, allowed) => {
    const { status, headers, body } = await send(server, { method, path })
    expect(status).toBe(405)
    expect(String(headers.allow).split(/, ?/)).toContain(allowed)
    expect(body).toEqual({ statusCode: 405, message: expect.stringContaining(`not ${method}`) })
  })

  it.each(['TRACE', 'PROPFIND', 'LOCK'])('is requested with an unknown method returns 4xx: %s', async (method) => {
    for (const path of ['/v1/variables', '/nowhere', '/livez']) {
      const { status, body } = await send(server, { method, path })
      expect([404, 405]).toContain(status)
      expect(body).toMatchObject({ statusCode: status })
    }
  })
})

it('every response has nosniff', async () => {
  for (const path of ['/livez', '/docs', '/nowhere']) {
    expect((await send(server, { path })).headers['x-content-type-options']).toBe('nosniff')
  }
})

it('an unexpected error returns 500 with the request id but not the cause', async () => {
  const failing = await serve(plan)
  breakClock(failing, 'a secret cause')
  const { status, headers, body } = await call(failing, 'evaluateVariables', { body: { user_id: 'ada' } })
  expect(status).toBe(500)
  expect(body.message).toContain(headers['x-request-id'])
  expect(body.message).not.toContain('secret')
  expect(failing.logs.join('')).toContain('a secret cause')
})

it('several servers run in one process, and can be closed twice', async () => {
  const second = await startServer({ ...options, store: 'memory:', demo: true })
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
  await Promise.all([second.close(), second.close()])
  await expect(fetch(`${second.url}/readyz`)).rejects.toThrow()
  expect((await send(server, { path: '/readyz' })).status).toBe(200)
})

it('a failed start releases its store', async () => {
  const store = toStoreUrl(await storeWith(plan))
  await expect(startServer({ ...options, store, port: server.port })).rejects.toThrow(
    `cannot listen on 127.0.0.1:${server.port}`
  )
  const second = await startServer({ ...options, store })
  await second.close()
})
