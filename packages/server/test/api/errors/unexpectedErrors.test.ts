import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { addCleanup } from '@burgee/testing/cleanup'
import { send } from '@burgee/testing/harness'
import type { Middleware } from 'koa'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../../src/api/http/app.ts'
import { type HandleMcpRequest, mcpRoutes } from '../../../src/api/http/mcpRoutes.ts'
import { readBody } from '../../../src/api/http/request/readBody.ts'
import { createRequestRecorder } from '../../../src/api/http/requestLog.ts'
import { readRequestParameters } from '../../../src/identity/oauth/readRequestParameters.ts'
import { createMetrics } from '../../../src/telemetry/metrics/metrics.ts'
import { noTracing } from '../../../src/telemetry/tracing/tracing.ts'

interface AppParts {
  readonly handleMcp?: HandleMcpRequest
  readonly router?: Middleware
  readonly recordAccess?: () => Promise<void>
}

/** An HTTP server with only these routers. It is closed after the tests of this file. */
async function serveApp({ handleMcp, router, recordAccess = async () => {} }: AppParts) {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const none = { expiring: 0, expired: 0 }
  const metrics = createMetrics({
    configs: () => 0,
    streams: () => 0,
    isWritable: () => true,
    environments: async () => [],
    expiring: async () => ({ sdk_key: none, api_client: none, scim_token: none, workload_trust: none }),
    pendingDeliveries: async () => 0,
    outbox: async () => 0
  })
  const isStopping = () => false
  const app = createApp({
    log,
    metrics,
    requestRecorder: createRequestRecorder({ log, metrics, trustedProxies: 0 }),
    tracing: noTracing,
    accessRecorder: { record: recordAccess, close: async () => {} },
    now: () => 0,
    isStopping,
    trustedProxies: 0,
    ownCorsRoutes: handleMcp ? [mcpRoutes({ handle: handleMcp, started: Promise.resolve(), isStopping })] : [],
    routers: router ? [router] : []
  })
  const server = createServer(app.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => server.close())
  return {
    // `address()` returns an object for a server that listens on a port.
    port: (server.address() as AddressInfo).port,
    /** The log lines with an error, each with its level. */
    errors: () => lines.filter(({ err }) => err !== undefined),
    /** The log line of each request. */
    requests: () => lines.filter(({ msg }) => msg === 'request'),
    /** The number of unexpected errors in `/metrics`. */
    count: async () => {
      const text = await metrics.registry.getSingleMetricAsString('burgee_unexpected_errors_total')
      return Number(/^burgee_unexpected_errors_total (\d+)$/m.exec(text)?.[1])
    }
  }
}

const ERROR = 50
const DEBUG = 20

const failing: Middleware = async () => {
  throw new Error('a secret cause')
}

describe('an unexpected error', () => {
  it('of the tool endpoint gets a JSON-RPC response, is logged as an error and counted', async () => {
    const handleMcp = async () => {
      throw new Error('a secret cause')
    }
    const app = await serveApp({ handleMcp })
    const { status, headers, body } = await send(app, { method: 'POST', path: '/mcp' })
    expect([status, headers['content-type']]).toEqual([500, 'application/json; charset=utf-8'])
    expect(body).toEqual({
      jsonrpc: '2.0',
      error: { code: -32603, message: expect.stringContaining(String(headers['x-request-id'])) },
      id: null
    })
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(app.errors()).toMatchObject([
      { level: ERROR, requestId: headers['x-request-id'], err: { message: 'a secret cause' } }
    ])
    expect(app.requests()).toMatchObject([{ level: ERROR, operation: 'mcp', status: 500 }])
    expect(await app.count()).toBe(1)
  })

  it('of the tool endpoint after the response has started ends the connection, is logged as an error and counted', async () => {
    const handleMcp: HandleMcpRequest = async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      await new Promise((resolve) => response.write('data: {}\n\n', resolve))
      throw new Error('a secret cause')
    }
    const app = await serveApp({ handleMcp })
    const { body } = await fetch(`http://127.0.0.1:${app.port}/mcp`, { method: 'POST' })
    await expect(new Response(body).text()).rejects.toThrow()
    expect(app.errors()).toMatchObject([{ level: ERROR, err: { message: 'a secret cause' } }])
    expect(app.requests()).toMatchObject([{ operation: 'mcp', status: 200 }])
    expect(await app.count()).toBe(1)
  })

  it('in the middle of a body ends the connection, is logged as an error and counted', async () => {
    async function* rows() {
      yield '{"row":1}\n'
      throw Object.assign(new Error('a secret cause'), { code: 'ECONNREFUSED' })
    }
    const app = await serveApp({
      router: (ctx) => {
        ctx.body = Readable.from(rows())
      }
    })
    const { status, body } = await fetch(`http://127.0.0.1:${app.port}/`)
    expect(status).toBe(200)
    await expect(new Response(body).text()).rejects.toThrow()
    expect(app.errors()).toMatchObject([{ level: ERROR, err: { message: 'a secret cause' } }])
    expect(await app.count()).toBe(1)
  })

  it.each([
    ['/v1/variables', { statusCode: 500, message: expect.any(String) }],
    ['/v1/projects', { statusCode: 500, message: expect.any(String), error: 'Internal Server Error' }],
    ['/ofrep/v1/evaluate/flags', { errorCode: 'GENERAL', errorDetails: expect.any(String) }],
    ['/oauth/token', { error: 'server_error', error_description: expect.any(String) }],
    ['/oauth/userinfo', { error: 'server_error', error_description: expect.any(String) }]
  ])('at %s is answered in the format of the endpoint, and counted', async (path, expected) => {
    const app = await serveApp({ router: failing })
    const { status, body } = await send(app, { method: 'POST', path })
    expect([status, body]).toEqual([500, expected])
    expect(app.errors()).toMatchObject([{ level: ERROR }])
    expect(await app.count()).toBe(1)
  })
})

describe('an unexpected error of the access log', () => {
  const recordAccess = async () => {
    throw new Error('a secret cause')
  }

  it.each([
    ['an accepted request', 200],
    ['a refused request', 401]
  ])('for %s is answered in the format of the endpoint, logged as an error and counted', async (_, answered) => {
    const router: Middleware = (ctx) => {
      ctx.status = answered
      ctx.body = { access_token: 'never sent' }
    }
    const app = await serveApp({ recordAccess, router })
    const { status, headers, body } = await send(app, { method: 'POST', path: '/oauth/token' })
    expect([status, body]).toEqual([500, { error: 'server_error', error_description: expect.any(String) }])
    expect(body.error_description).toContain(headers['x-request-id'])
    expect(app.errors()).toMatchObject([{ level: ERROR, msg: 'a request failed unexpectedly' }])
    expect(app.requests()).toMatchObject([{ level: ERROR, status: 500 }])
    expect(await app.count()).toBe(1)
  })
})

/** A request with the headers of another, whose body ends with this error. */
function failingRequest({ headers }: IncomingMessage, error: Error): IncomingMessage {
  const body = Readable.from(
    (async function* () {
      yield Buffer.from('{')
      throw error
    })()
  )
  // The readers use nothing else of a request.
  return Object.assign(body, { headers }) as unknown as IncomingMessage
}

describe('a body that cannot be received', () => {
  const readers = [
    ['of an API request', (request: IncomingMessage) => readBody(request), 400],
    ['of a token request', (request: IncomingMessage) => readRequestParameters(request), 408]
  ] as const
  const sent = { method: 'POST', path: '/v1/projects', headers: { 'content-type': 'application/json' }, body: '{}' }

  it.each(readers)('%s is an unexpected error unless the client caused it', async (_, read) => {
    const app = await serveApp({ router: (ctx) => read(failingRequest(ctx.req, new Error('a secret cause'))) })
    expect((await send(app, sent)).status).toBe(500)
    expect(app.errors()).toMatchObject([{ level: ERROR, err: { message: 'a secret cause' } }])
    expect(await app.count()).toBe(1)
  })

  it.each(readers)('%s is a client error if the connection ended', async (_, read, status) => {
    const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    const app = await serveApp({ router: (ctx) => read(failingRequest(ctx.req, aborted)) })
    expect((await send(app, sent)).status).toBe(status)
    expect(app.errors()).toEqual([])
  })

  it('is an unexpected error if its bytes cannot be counted', async () => {
    const count = async () => {
      throw new TypeError('a secret cause')
    }
    const app = await serveApp({ router: (ctx) => readBody(ctx.req, { count }) })
    expect((await send(app, sent)).status).toBe(500)
    expect(app.errors()).toMatchObject([{ level: ERROR, err: { message: 'a secret cause' } }])
  })

  it.each(['gzip', 'deflate', 'br'])('is a client error if it is not compressed as %s', async (encoding) => {
    const app = await serveApp({ router: (ctx) => readBody(ctx.req) })
    const headers = { ...sent.headers, 'content-encoding': encoding }
    expect((await send(app, { ...sent, headers })).status).toBe(400)
    expect(app.errors()).toEqual([])
  })
})

it('a caller who hangs up causes no error', async () => {
  const app = await serveApp({
    router: (ctx) => {
      ctx.body = new Readable({ read() {} })
      ctx.body.push('the beginning')
    }
  })
  const ending = new AbortController()
  const { body } = await fetch(`http://127.0.0.1:${app.port}/`, { signal: ending.signal })
  await body?.getReader().read()
  ending.abort()
  await expect.poll(app.errors).toMatchObject([{ level: DEBUG }])
  expect(await app.count()).toBe(0)
})
