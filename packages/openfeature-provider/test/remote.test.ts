import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type EvaluationContext, OpenFeature, ProviderEvents, ProviderStatus } from '@openfeature/server-sdk'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { BurgeeProvider, literal, type ProviderOptions, type Source } from '../src/index.ts'
import { config } from './gherkin/flags.ts'
import { serveFlags } from './gherkin/onServer.ts'

/** What the fake server got. */
interface Received {
  readonly url: string
  readonly key: string | undefined
  readonly text: string
}

type Reply =
  | { readonly status?: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | ((response: ServerResponse) => void)

let received: Received[] = []
let reply: () => Reply = () => ({})

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    received.push({ url: request.url ?? '', key: request.headers.authorization, text })
    const answer = reply()
    if (typeof answer === 'function') return answer(response)
    const { status = 200, body = { key: 'flag', reason: 'STATIC', value: true }, headers } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
})

let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  received = []
  reply = () => ({})
})

afterEach(() => OpenFeature.clearProviders())

const quiet = { error() {}, warn() {}, info() {}, debug() {} }
let domains = 0

async function clientWith(options: Partial<ProviderOptions> = {}) {
  const domain = `remote ${domains++}`
  const common = { url, sdkKey: 'the-key', evaluation: 'remote', events: false, logger: quiet, initTimeoutMs: 5_000 }
  const provider = new BurgeeProvider({ ...common, ...options } as ProviderOptions)
  const started = await OpenFeature.setProviderAndWait(domain, provider).then(
    () => undefined,
    (error: Error) => error
  )
  return { client: OpenFeature.getClient(domain), provider, started }
}

OpenFeature.setLogger(quiet)

test('it asks for one flag with the key, and with what evaluation in process reads of the context', async () => {
  const { client } = await clientWith()
  received = []
  await client.getBooleanValue('a/b c?', false, {
    targetingKey: 'ada',
    plan: 'pro',
    nothing: null,
    since: new Date(0),
    list: [1],
    customData: { size: 1, since: new Date(0) },
    privateCustomData: { secret: 'x' }
  })
  expect(received).toEqual([{ url: '/ofrep/v1/evaluate/flags/a%2Fb%20c%3F', key: 'the-key', text: expect.any(String) }])
  expect(JSON.parse(received[0]!.text)).toEqual({
    context: {
      targetingKey: 'ada',
      plan: 'pro',
      nothing: null,
      customData: { size: 1 },
      privateCustomData: { secret: 'x' }
    }
  })
})

const error = (errorCode: string) => ({ value: false, reason: 'ERROR', errorCode })

describe('an answer', () => {
  test.each<[string, Reply, object]>([
    [
      'with everything',
      { body: { key: 'f', value: true, variant: 'on', reason: 'SPLIT', metadata: { a: 1 } } },
      { value: true, variant: 'on', reason: 'SPLIT', flagMetadata: { a: 1 } }
    ],
    ['with a reason of its own', { body: { key: 'f', value: true, reason: 'MOON' } }, { value: true, reason: 'MOON' }],
    [
      'with nested metadata',
      { body: { key: 'f', value: true, reason: 'STATIC', metadata: { a: 1, b: {}, c: [1], d: null } } },
      { flagMetadata: { a: 1 } }
    ],
    ['without a value', { body: { key: 'f', reason: 'DISABLED' } }, { value: false, reason: 'DISABLED' }],
    ['without value and reason', { body: { key: 'f' } }, { value: false, reason: 'DEFAULT' }],
    ['with null', { body: { key: 'f', value: null, reason: 'STATIC' } }, error('TYPE_MISMATCH')],
    [
      'of another type',
      { body: { key: 'f', value: 'true', reason: 'STATIC', metadata: { a: 1 } } },
      { ...error('TYPE_MISMATCH'), flagMetadata: { a: 1 } }
    ],
    [
      'with another JSON type in its header',
      { headers: { 'content-type': 'application/vnd.x+json; charset=utf-8' } },
      { value: true }
    ],
    ['that is said to be HTML', { headers: { 'content-type': 'text/html' } }, error('GENERAL')],
    ['that is no JSON', { body: '{"key":' }, error('GENERAL')],
    ['that is empty', { body: '' }, error('GENERAL')],
    ['that is a list', { body: [] }, error('GENERAL')],
    ...[
      'FLAG_NOT_FOUND',
      'PARSE_ERROR',
      'TARGETING_KEY_MISSING',
      'INVALID_CONTEXT',
      'GENERAL',
      'TYPE_MISMATCH',
      'PROVIDER_NOT_READY'
    ].map((errorCode): [string, Reply, object] => [
      `with the code ${errorCode}`,
      {
        status: errorCode === 'FLAG_NOT_FOUND' ? 404 : 400,
        body: { key: 'f', errorCode, errorDetails: 'so', metadata: { a: 1 } }
      },
      { ...error(errorCode), errorMessage: 'so', flagMetadata: { a: 1 } }
    ]),
    [
      'with a code that nobody knows',
      { status: 400, body: { key: 'f', errorCode: 'MOON' } },
      { ...error('GENERAL'), errorMessage: 'MOON' }
    ],
    [
      '500 that says why',
      { status: 500, body: { key: 'f', errorCode: 'GENERAL', errorDetails: 'sorry' } },
      { ...error('GENERAL'), errorMessage: 'sorry' }
    ],
    ...[201, 204, 301, 304, 400, 401, 403, 404, 405, 413, 429, 500, 502, 503].map((status): [string, Reply, object] => [
      `${status} alone`,
      { status, body: status === 204 || status === 304 ? '' : { message: 'no' } },
      error('GENERAL')
    ]),
    ['that is cut', (response) => response.destroy(), error('GENERAL')],
    [
      'that is cut in its middle',
      (response) => response.writeHead(200, { 'content-length': '99' }).write('{') && response.destroy(),
      error('GENERAL')
    ],
    ['that never comes', () => {}, error('GENERAL')],
    [
      'that never ends',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"key":'),
      error('GENERAL')
    ],
    ['that is far too large', { body: `{"key":"f","value":true,"x":"${'x'.repeat(5_000_000)}"}` }, error('GENERAL')]
  ])('%s', async (_what, given, expected) => {
    const { client } = await clientWith({ requestTimeoutMs: 1_000 })
    reply = () => given
    const details = await client.getBooleanDetails('f', false)
    expect(details).toMatchObject(expected)
    expect(JSON.stringify(details)).not.toContain('the-key')
  })

  test.each([
    ['seconds', () => '60'],
    ['a date', () => new Date(Date.now() + 60_000).toUTCString()]
  ])('429 is followed by no other request before its time is over, told in %s', async (_form, header) => {
    const { client } = await clientWith()
    received = []
    reply = () => ({ status: 429, headers: { 'retry-after': header() } })
    for (let index = 0; index < 5; index++) {
      expect(await client.getBooleanDetails('f', true)).toMatchObject({ value: true, errorCode: 'GENERAL' })
    }
    expect(received).toHaveLength(1)
    expect(client.providerStatus).toBe(ProviderStatus.READY)
  })

  it('429 is followed by further ones when its time is over', async () => {
    const { client } = await clientWith()
    reply = () => ({ status: 429, headers: { 'retry-after': '1' } })
    await client.getBooleanDetails('f', false)
    reply = () => ({})
    await expect.poll(() => client.getBooleanValue('f', false), { timeout: 10_000 }).toBe(true)
  })
})

describe('a server that does not answer', () => {
  it('is asked three times, and then not by each evaluation', async () => {
    const { client } = await clientWith({ retry: { initialMs: 60_000, maxMs: 60_000 } })
    received = []
    reply = () => (response) => response.destroy()
    for (let index = 0; index < 10; index++) expect(await client.getBooleanValue('f', false)).toBe(false)
    expect(received).toHaveLength(3)
  })

  it('shows as STALE, then ERROR, and READY again, by itself', async () => {
    const { client } = await clientWith({ staleAfterMs: 20, errorAfterMs: 60, retry: { initialMs: 10, maxMs: 20 } })
    const events: string[] = []
    for (const event of [ProviderEvents.Ready, ProviderEvents.Stale, ProviderEvents.Error]) {
      client.addHandler(event, () => void events.push(event))
    }
    events.length = 0
    reply = () => ({ status: 503 })
    await client.getBooleanValue('f', false)
    await expect.poll(() => client.providerStatus, { timeout: 10_000 }).toBe(ProviderStatus.ERROR)
    reply = () => ({})
    await expect.poll(() => client.providerStatus, { timeout: 10_000 }).toBe(ProviderStatus.READY)
    expect(events).toEqual([ProviderEvents.Stale, ProviderEvents.Error, ProviderEvents.Ready])
    expect(await client.getBooleanValue('f', false)).toBe(true)
  })

  test.each<[string, Reply]>([
    ['refuses the key', { status: 401 }],
    ['fails', { status: 500 }],
    ['is silent', () => {}]
  ])('at the start %s: ERROR in time, and READY when it does', async (_what, given) => {
    reply = () => given
    const retry = { initialMs: 10, maxMs: 20, refusedMs: 10, refusedMaxMs: 20 }
    const { client, started } = await clientWith({ initTimeoutMs: 100, requestTimeoutMs: 200, retry })
    expect(started?.message).toMatch(/refuses the SDK key|status 500|did not answer/)
    expect(client.providerStatus).toBe(ProviderStatus.ERROR)
    reply = () => ({})
    await expect.poll(() => client.providerStatus, { timeout: 10_000 }).toBe(ProviderStatus.READY)
  })
})

test('it can be closed and used again', async () => {
  const { client, provider } = await clientWith()
  await provider.onClose()
  await provider.onClose()
  await provider.initialize()
  expect(await client.getBooleanValue('f', false)).toBe(true)
})

describe('on a real server', () => {
  let served: Awaited<ReturnType<typeof serveFlags>>

  beforeAll(async () => {
    served = await serveFlags()
  })

  afterAll(() => served.server.close())

  const value = fc.constantFrom<EvaluationContext[string]>(
    'ballmer@macrosoft.com',
    'x',
    '',
    29,
    65,
    true,
    false,
    null,
    new Date(0),
    [1],
    { a: 1 },
    'Sulisław',
    'Świętopełk'
  )
  const context = fc.record(
    {
      targetingKey: fc.string({ maxLength: 220 }),
      email: value,
      age: value,
      customer: value,
      fn: value,
      ln: value,
      customData: fc.dictionary(fc.constantFrom('age', 'customer', 'fn'), value)
    },
    { requiredKeys: [] }
  )

  it('answers for any context what evaluation in process answers', async () => {
    const common = { flagMetadata: false, events: false, logger: quiet } as const
    const far = new BurgeeProvider({ ...common, url: served.server.url, sdkKey: served.sdkKey, evaluation: 'remote' })
    const near = new BurgeeProvider({ ...common, source: literal(config) })
    await Promise.all([far.initialize(), near.initialize()])
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          'complex-targeted',
          'context-aware',
          'string-flag',
          'boolean-disabled-flag',
          'metadata-flag',
          'nowhere'
        ),
        context,
        async (key, given) => {
          const asked = given as EvaluationContext
          const [here, there] = await Promise.all([
            near.resolveStringEvaluation(key, 'default', asked),
            far.resolveStringEvaluation(key, 'default', asked)
          ])
          expect(there).toEqual(here)
        }
      ),
      { numRuns: 300 }
    )
    await Promise.all([far.onClose(), near.onClose()])
  })

  it('answers while there is no config', async () => {
    const source: Source = { name: 'the silent source', start: () => {}, close: () => {} }
    const { url } = served.server
    const { client } = await clientWith({
      source,
      url,
      sdkKey: served.sdkKey,
      evaluation: 'inProcess',
      initTimeoutMs: 20
    })
    expect(client.providerStatus).toBe(ProviderStatus.ERROR)
    expect(await client.getStringDetails('string-flag', '')).toMatchObject({ value: 'hi', reason: 'STATIC' })
  })
})
