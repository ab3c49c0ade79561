import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { breakClock, call, send, serve, type TestServer } from '@burgee/testing/harness'
import { keyOf, type Plan } from '@burgee/testing/plan'
import { afterEach, expect, test } from 'vitest'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'
import type { OutboundResponse } from '../../src/lib/outbound/safeFetch.ts'
import { openTracing } from '../../src/telemetry/tracing/openTracing.ts'
import { traceFetch } from '../../src/telemetry/tracing/traceFetch.ts'
import { parseTraceparent } from '../../src/telemetry/tracing/traceparent.ts'
import { noTracing } from '../../src/telemetry/tracing/tracing.ts'
import { startWebhookReceiver } from '../support/processes/webhookReceiver.ts'

const plan: Plan = { features: [{ key: 'new-checkout' }] }

const user = {
  user_id: 'grace@example.com',
  email: 'grace@example.com',
  name: 'Ada',
  privateCustomData: { pin: 'pin-1234' }
}

/** An exported span: OTLP over HTTP in JSON. */
interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly status: { readonly code: number }
  readonly attributes: Readonly<Record<string, unknown>>
}

const receivers: Server[] = []

afterEach(() => {
  for (const receiver of receivers.splice(0)) {
    receiver.close()
    receiver.closeAllConnections()
  }
})

async function listening(answer: RequestListener): Promise<string> {
  const receiver = createServer(answer)
  receivers.push(receiver)
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
  const address = receiver.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

/** An OTLP receiver that stores its requests. */
async function collector() {
  const bodies: string[] = []
  const asked: { url?: string; headers: IncomingHttpHeaders }[] = []
  const endpoint = await listening(async (request, response) => {
    asked.push({ ...(request.url ? { url: request.url } : {}), headers: request.headers })
    bodies.push(await text(request))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  return { endpoint, bodies, asked, spans: () => bodies.flatMap(spansIn) }
}

function spansIn(body: string): readonly Span[] {
  // biome-ignore lint/suspicious/noExplicitAny: the form is OTLP's.
  const sent = JSON.parse(body) as any
  // biome-ignore lint/suspicious/noExplicitAny: the form is OTLP's.
  const all = sent.resourceSpans.flatMap(({ scopeSpans }: any) => scopeSpans.flatMap(({ spans }: any) => spans))
  // biome-ignore lint/suspicious/noExplicitAny: the form is OTLP's.
  return all.map((span: any) => ({ ...span, attributes: attributesIn(span.attributes) }))
}

// biome-ignore lint/suspicious/noExplicitAny: the form is OTLP's.
function attributesIn(attributes: any): Readonly<Record<string, unknown>> {
  // biome-ignore lint/suspicious/noExplicitAny: the form is OTLP's.
  return Object.fromEntries(attributes.map(({ key, value }: any) => [key, value.stringValue ?? Number(value.intValue)]))
}

/** Evaluates a variable for a user. */
function evaluate(served: TestServer, headers: Record<string, string> = {}) {
  return call(served, 'evaluateVariable', { params: { key: 'new-checkout' }, body: user, headers })
}

// First, because loaded modules stay loaded.
test('a server loads nothing of OpenTelemetry until an endpoint is given', async () => {
  const loaded = () => {
    const files = Object.keys(createRequire(import.meta.url).cache)
    return files.filter((file) => /@opentelemetry.(sdk-trace|resources|exporter-trace-otlp-http)\b/.test(file))
  }
  await evaluate(await serve(plan))
  expect(loaded()).toEqual([])
  await serve(plan, { otlpEndpoint: (await collector()).endpoint })
  expect(loaded().length).toBeGreaterThan(3)
})

test('the server exports a span for each request by its route, and describes the server', async () => {
  const { endpoint, bodies, asked, spans } = await collector()
  const served = await serve(plan, { otlpEndpoint: endpoint })
  expect((await evaluate(served)).status).toBe(200)
  await call(served, 'evaluateVariable', { params: { key: 'nothing' }, body: user })
  await served.close()
  expect(asked.map(({ url }) => url)).toEqual(['/v1/traces'])
  const attributes = {
    'http.request.method': 'POST',
    'http.route': '/v1/variables/{key}',
    'url.scheme': 'http',
    'burgee.operation': 'evaluateVariable'
  }
  expect(spans()).toMatchObject([
    { name: 'POST /v1/variables/{key}', kind: 2, attributes: { ...attributes, 'http.response.status_code': 200 } },
    { name: 'POST /v1/variables/{key}', kind: 2, attributes: { ...attributes, 'http.response.status_code': 404 } }
  ])
  expect(spans().map(({ status, parentSpanId }) => [status.code, parentSpanId])).toEqual([
    [0, undefined],
    [0, undefined]
  ])
  const [sent] = JSON.parse(bodies[0] ?? '').resourceSpans
  expect(attributesIn(sent.resource.attributes)).toEqual({
    'service.name': 'burgee-server',
    'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/)
  })
})

test('the server exports transactions of the store as child spans of their requests', async () => {
  const { endpoint, spans } = await collector()
  const served = await serve(plan, { otlpEndpoint: endpoint })
  const body = { key: 'search', name: 'Search' }
  expect((await call(served, 'createFeature', { params: { project: 'shop' }, body })).status).toBe(201)
  await served.close()
  const request = spans().find(({ name }) => name === 'POST /v2/projects/{project}/features')
  expect(request).toBeDefined()
  const parts = spans().filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(parts.map(({ name, traceId }) => [name, traceId])).toEqual([['store transaction', request?.traceId]])
  // Transactions outside of requests are not exported.
  expect(spans().filter(({ name, parentSpanId }) => name === 'store transaction' && !parentSpanId)).toEqual([])
})

test('the server continues the trace of its caller, and exports nothing of an unsampled one', async () => {
  const { endpoint, spans } = await collector()
  const served = await serve(plan, { otlpEndpoint: endpoint })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  await evaluate(served, { traceparent: `00-${traceId}-b7ad6b7169203331-01` })
  await evaluate(served, { traceparent: '00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' })
  await served.close()
  expect(spans()).toMatchObject([{ traceId, parentSpanId: 'b7ad6b7169203331' }])
})

test('the server exports no keys, tokens, queries and user data', async () => {
  const { endpoint, bodies, spans } = await collector()
  const served = await serve(plan, { otlpEndpoint: endpoint })
  const key = keyOf('server')
  await send(served, { path: `/config/v2/server/${key}` })
  await send(served, { path: `/config/v1/server/${key}.json?sdkKey=${key}` })
  await send(served, { path: `/nowhere/${key}?sdkKey=${key}` })
  await evaluate(served)
  await call(served, 'listProjects')
  await call(served, 'getUser', { params: { user: 'grace@example.com' } })
  await send(served, { path: '/oauth/interactions/the-id-of-a-visit' })
  await served.close()
  expect(spans().length).toBeGreaterThan(6)
  const exported = bodies.join()
  for (const secret of [
    key,
    'grace',
    'Ada',
    'pin-1234',
    'Bearer',
    'the-secret-of-the-tests',
    'the-id-of-a-visit',
    '?'
  ]) {
    expect(exported).not.toContain(secret)
  }
  expect(spans().find(({ name }) => name === 'GET')?.attributes).toEqual({
    'http.request.method': 'GET',
    'url.scheme': 'http',
    'http.response.status_code': 404
  })
})

test('the server exports no health probes', async () => {
  const { endpoint, spans } = await collector()
  const served = await serve(plan, { otlpEndpoint: endpoint })
  for (const path of ['/livez', '/readyz', '/metrics', '/docs']) expect((await send(served, { path })).status).toBe(200)
  await served.close()
  expect(spans().map(({ name }) => name)).toEqual(['GET'])
})

test('the server marks spans of internal errors', async () => {
  const { endpoint, spans } = await collector()
  const served = await serve(plan, { otlpEndpoint: endpoint })
  breakClock(served, 'the clock of grace@example.com stopped')
  expect((await evaluate(served)).status).toBe(500)
  await served.close()
  const failed = { 'http.response.status_code': 500, 'error.type': '500' }
  expect(spans()).toMatchObject([{ status: { code: 2 }, attributes: failed }])
  expect(JSON.stringify(spans())).not.toContain('grace')
})

test.each([
  ['is not there', async () => 'http://127.0.0.1:1'],
  ['answers nothing', async () => listening(() => {})],
  ['refuses', async () => listening((_, response) => void response.writeHead(400).end())]
])('a collector that %s neither slows nor stops the server', async (_, address) => {
  const served = await serve(plan, { otlpEndpoint: await address() })
  for (let sent = 0; sent < 20; sent++) expect((await evaluate(served)).status).toBe(200)
  const begun = performance.now()
  await served.close()
  // The stop waits two seconds for the last batch.
  expect(performance.now() - begun).toBeLessThan(10_000)
})

test('a failing collector is logged once', async () => {
  const logs: unknown[] = []
  const log = { warn: (...line: unknown[]) => void logs.push(line) }
  const endpoint = await listening((_, response) => void response.writeHead(400).end())
  // A logger has more members; only these are used.
  const tracing = await openTracing({ endpoint, serverVersion: '1.0.0', log: log as never })
  const beginning = { name: 'GET', kind: 'server' as const, attributes: {} }
  for (let span = 0; span < 2_000; span++) await tracing.trace(beginning, async () => {})
  await tracing.close()
  expect(logs).toMatchObject([[{ err: expect.any(Error) }, expect.stringContaining('traces cannot be exported')]])
})

test('a delivery attempt is a trace of its own with the host, and sends no headers to the receiver', async () => {
  const { endpoint, spans } = await collector()
  const tracing = await openTracing({ endpoint, serverVersion: '1.0.0', log: undefined as never })
  const outcomes: OutboundResponse[] = [
    { type: 'answered', status: 204, excerpt: '', durationMs: 3 },
    { type: 'answered', status: 503, excerpt: 'the word', durationMs: 3 },
    { type: 'failed', reason: 'the word', durationMs: 3 }
  ]
  const given: unknown[] = []
  const request = { url: 'https://user:word@hooks.example.com/the-secret?token=word', headers: {}, body: '{"word":1}' }
  for (const outcome of outcomes) {
    const deliver = traceFetch(async (asked) => {
      given.push(asked)
      return outcome
    }, tracing)
    expect(await tracing.trace({ name: 'GET', kind: 'server', attributes: {} }, () => deliver(request))).toBe(outcome)
  }
  await tracing.close()
  const attempts = spans().filter(({ kind }) => kind === 3)
  expect(attempts.map(({ status, parentSpanId, attributes }) => [status.code, parentSpanId, attributes])).toEqual(
    [
      { 'http.response.status_code': 204 },
      { 'http.response.status_code': 503, 'error.type': '503' },
      { 'error.type': 'no_answer' }
    ].map((expected, at) => [
      at === 0 ? 0 : 2,
      undefined,
      { 'http.request.method': 'POST', 'server.address': 'hooks.example.com', ...expected }
    ])
  )
  expect(JSON.stringify(spans())).not.toMatch(/word|secret/)
  expect(given).toEqual([request, request, request])
})

test('a webhook delivery is such a trace', async () => {
  const { endpoint, spans } = await collector()
  const hooks = await startWebhookReceiver()
  const allowedPrivateTargets = parseAllowedDestinations('127.0.0.1')!
  const served = await serve(plan, { otlpEndpoint: endpoint, allowedPrivateTargets })
  const params = { project: 'shop' }
  const hook = { name: 'Hook', url: `${hooks.url}/the-secret`, events: ['createdFeature'] }
  const { body: webhook } = await call(served, 'createWebhook', { params, body: hook })
  await call(served, 'createFeature', { params, body: { key: 'search', name: 'Search' } })
  const [message] = await hooks.until(1)
  // Until then, the attempt is under way, and a stop would end it.
  const list = { params: { ...params, id: webhook._id } }
  await expect
    .poll(async () => (await call(served, 'listWebhookDeliveries', list)).body)
    .toMatchObject([{ status: 'delivered' }])
  await served.close()
  expect(message?.headers).not.toHaveProperty('traceparent')
  const attempts = spans().filter(({ kind }) => kind === 3)
  const attributes = { 'http.request.method': 'POST', 'server.address': '127.0.0.1', 'http.response.status_code': 204 }
  expect(attempts).toMatchObject([{ name: 'POST', attributes }])
  expect(attempts[0]).not.toHaveProperty('parentSpanId')
  expect(JSON.stringify(spans())).not.toContain('the-secret')
})

test('without an endpoint, tracing runs the work only', async () => {
  const beginning = { name: 'GET', kind: 'server' as const, attributes: {} }
  expect(await openTracing({ endpoint: '', serverVersion: '', log: undefined as never })).toBe(noTracing)
  expect(await noTracing.trace(beginning, async () => 1)).toBe(1)
  expect(await noTracing.childSpan('part', async () => 2)).toBe(2)
})

const SPAN = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', isRemote: true }

test.each([
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', { ...SPAN, traceFlags: 1 }],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-02', { ...SPAN, traceFlags: 0 }],
  ['01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-later', { ...SPAN, traceFlags: 1 }],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-later', undefined],
  ['01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01later', undefined],
  ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', undefined],
  ['00-00000000000000000000000000000000-b7ad6b7169203331-01', undefined],
  ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', undefined],
  ['00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01', undefined],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331', undefined],
  ['', undefined],
  [undefined, undefined]
])('parseTraceparent reads %s', (header, span) => {
  expect(parseTraceparent(header)).toEqual(span)
})
