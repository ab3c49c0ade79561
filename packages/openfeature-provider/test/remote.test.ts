import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type EvaluationContext, OpenFeature, ProviderEvents, ProviderStatus } from '@openfeature/server-sdk'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { BurgeeProvider, type ProviderOptions, pollingSource, type Source, staticSource } from '../src/index.ts'
import { config } from './gherkin/flags.ts'
import { serveFlags } from './gherkin/onServer.ts'
import { settled } from './support/harness.ts'

/** A request that the fake server received. */
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
    const { status = 200, body = { key: askedIn(request), reason: 'STATIC', value: true }, headers } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
})

/** Returns the flag key of a request. */
function askedIn({ url = '' }: IncomingMessage): string {
  return decodeURIComponent(url.slice(url.lastIndexOf('/') + 1))
}

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

test('an evaluation requests one flag with the key and the context members that evaluation in process reads', async () => {
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

describe('a response', () => {
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
    ['that is not JSON', { body: '{"key":' }, error('GENERAL')],
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
  ])('429 stops requests until its Retry-After in %s is over', async (_form, header) => {
    const { client } = await clientWith()
    received = []
    reply = () => ({ status: 429, headers: { 'retry-after': header() } })
    for (let index = 0; index < 5; index++) {
      expect(await client.getBooleanDetails('f', true)).toMatchObject({ value: true, errorCode: 'GENERAL' })
    }
    expect(received).toHaveLength(1)
    expect(client.providerStatus).toBe(ProviderStatus.READY)
  })

  it('429 stops requests although an earlier request succeeds', async () => {
    const { client } = await clientWith()
    let answer = (): void => {}
    reply = () => (response) => {
      answer = () => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('{"key":"f","value":true,"reason":"STATIC"}')
      }
    }
    received = []
    const first = client.getBooleanValue('f', false)
    await expect.poll(() => received.length).toBe(1)
    reply = () => ({ status: 429, headers: { 'retry-after': '60' } })
    await client.getBooleanValue('f', false)
    answer()
    expect(await first).toBe(true)
    expect(await client.getBooleanDetails('f', false)).toMatchObject({ errorCode: 'GENERAL' })
    expect(received).toHaveLength(2)
  })

  it('429 without Retry-After does not shorten an earlier Retry-After', async () => {
    const { client } = await clientWith()
    const waiting: ServerResponse[] = []
    reply = () => (response) => void waiting.push(response)
    received = []
    const both = [client.getBooleanValue('f', false), client.getBooleanValue('f', false)]
    await expect.poll(() => waiting.length).toBe(2)
    waiting[0]!.writeHead(429, { 'retry-after': '60' }).end()
    await Promise.race(both)
    waiting[1]!.writeHead(429).end()
    await Promise.all(both)
    expect(await client.getBooleanDetails('f', false)).toMatchObject({ errorCode: 'GENERAL' })
    expect(received).toHaveLength(2)
  })

  it('429 stops requests although an earlier request fails', async () => {
    const { client } = await clientWith({ retry: { initialMs: 10, maxMs: 20 } })
    let fail = (): void => {}
    reply = () => (response) => {
      fail = () => void response.writeHead(503).end()
    }
    received = []
    const first = client.getBooleanValue('f', false)
    await expect.poll(() => received.length).toBe(1)
    reply = () => ({ status: 429, headers: { 'retry-after': '60' } })
    await client.getBooleanValue('f', false)
    fail()
    await first
    await settled(() => received.length)
    expect(received).toHaveLength(2)
  })

  it('429 allows requests once its Retry-After is over', async () => {
    const { client } = await clientWith()
    reply = () => ({ status: 429, headers: { 'retry-after': '1' } })
    await client.getBooleanDetails('f', false)
    reply = () => ({})
    await expect.poll(() => client.getBooleanValue('f', false)).toBe(true)
  })
})

describe('a server that does not answer', () => {
  it('gets three requests, then none for a while', async () => {
    const { client } = await clientWith({ retry: { initialMs: 60_000, maxMs: 60_000 } })
    received = []
    reply = () => (response) => response.destroy()
    for (let index = 0; index < 10; index++) expect(await client.getBooleanValue('f', false)).toBe(false)
    expect(received).toHaveLength(3)
  })

  it('makes the status STALE, then ERROR, and READY when it answers', async () => {
    const { client } = await clientWith({ staleAfterMs: 20, errorAfterMs: 60, retry: { initialMs: 10, maxMs: 20 } })
    const events: string[] = []
    for (const event of [ProviderEvents.Ready, ProviderEvents.Stale, ProviderEvents.Error]) {
      client.addHandler(event, () => void events.push(event))
    }
    events.length = 0
    reply = () => ({ status: 503 })
    await client.getBooleanValue('f', false)
    await expect.poll(() => client.providerStatus).toBe(ProviderStatus.ERROR)
    reply = () => ({})
    await expect.poll(() => client.providerStatus).toBe(ProviderStatus.READY)
    expect(events).toEqual([ProviderEvents.Stale, ProviderEvents.Error, ProviderEvents.Ready])
    expect(await client.getBooleanValue('f', false)).toBe(true)
  })

  it('gets requests again as soon as it has answered, however many failed at once', async () => {
    const { client } = await clientWith({ staleAfterMs: 5, retry: { initialMs: 20, maxMs: 60_000 } })
    reply = () => ({ status: 503 })
    await Promise.all(Array.from({ length: 12 }, () => client.getBooleanValue('f', false)))
    await expect.poll(() => client.providerStatus).toBe(ProviderStatus.STALE)
    reply = () => ({})
    await expect.poll(() => client.providerStatus).toBe(ProviderStatus.READY)
    expect(await client.getBooleanDetails('f', false)).toMatchObject({ value: true, reason: 'STATIC' })
  })

  test.each<[string, Reply]>([
    ['refuses the key', { status: 401 }],
    ['fails', { status: 500 }],
    ['is silent', () => {}]
  ])('fails the start when it %s, and makes the provider READY later', async (_what, given) => {
    reply = () => given
    const retry = { initialMs: 10, maxMs: 20, refusedMs: 10, refusedMaxMs: 20 }
    const { client, started } = await clientWith({ initTimeoutMs: 100, requestTimeoutMs: 200, retry })
    expect(started?.message).toMatch(/refuses the SDK key|status 500|did not answer/)
    expect(client.providerStatus).toBe(ProviderStatus.ERROR)
    reply = () => ({})
    await expect.poll(() => client.providerStatus).toBe(ProviderStatus.READY)
  })
})

test('a server that stopped answering gets one trial request at a time', async () => {
  const { client } = await clientWith({ requestTimeoutMs: 200, retry: { initialMs: 400, maxMs: 400 }, random: () => 0 })
  reply = () => (response) => response.destroy()
  for (let count = 0; count < 3; count++) await client.getBooleanValue('f', false)
  received = []
  let open = 0
  let most = 0
  reply = () => (response) => {
    open += 1
    most = Math.max(most, open)
    response.on('close', () => {
      open -= 1
    })
  }
  await expect
    .poll(
      async () => {
        await Promise.all(Array.from({ length: 20 }, () => client.getBooleanValue('f', false)))
        return received.length
      },
      { interval: 10 }
    )
    .toBeGreaterThan(2)
  expect(most).toBeLessThanOrEqual(1)
})

test('a healthy server that starts to hang keeps one request waiting; the other evaluations get their default', async () => {
  const { client } = await clientWith({ requestTimeoutMs: 60_000, initTimeoutMs: 1_000 })
  expect(await client.getBooleanValue('f', false)).toBe(true)
  received = []
  const open = new Set<ServerResponse>()
  reply = () => (response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
  }
  const first = client.getBooleanDetails('f', false)
  await expect.poll(() => open.size).toBe(1)
  const others = Array.from({ length: 100 }, () => client.getBooleanDetails('f', false))
  for (const details of await Promise.all(others)) {
    expect(details).toMatchObject({
      ...error('GENERAL'),
      errorMessage: expect.stringContaining('has answered no request')
    })
  }
  await expect.poll(() => open.size).toBe(1)
  const sent = received.length
  for (let count = 0; count < 100; count++) {
    expect(await client.getBooleanDetails('f', false)).toMatchObject({ errorMessage: expect.stringContaining('trial') })
  }
  expect(received).toHaveLength(sent)
  reply = () => ({})
  for (const response of open) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"key":"f","value":true,"reason":"STATIC"}')
  }
  expect(await first).toMatchObject({ value: true })
  const all = await Promise.all(Array.from({ length: 20 }, () => client.getBooleanValue('f', false)))
  expect(all).toEqual(Array.from({ length: 20 }, () => true))
})

describe('the log of a provider whose server hangs at the start', () => {
  test.each(['remote', 'inProcess'])(
    'has a line before the request times out, one for all failures, and one when it answers: %s',
    async (evaluation) => {
      const lines: string[] = []
      const write = (line: string) => void lines.push(line)
      reply = () => () => {}
      const timing = { requestTimeoutMs: 1_000, retry: { initialMs: 10, maxMs: 20 } }
      const { client, started } = await clientWith({
        ...timing,
        initTimeoutMs: 100,
        logger: { ...quiet, warn: write, info: write },
        ...(evaluation === 'remote'
          ? { evaluation }
          : { evaluation: 'inProcess', source: pollingSource({ url, sdkKey: 'the-key', ...timing }) })
      })
      expect(started?.message).toMatch(/answer/)
      expect(lines[0]).toMatch(/answer/)
      await expect.poll(() => received.length).toBeGreaterThan(2)
      expect(lines).toEqual([lines[0], expect.stringMatching(/no response within 1 s/)])
      reply = () => (evaluation === 'remote' ? {} : { body: config, headers: { etag: '"1"' } })
      await expect.poll(() => client.providerStatus).toBe(ProviderStatus.READY)
      expect(lines).toEqual([...lines.slice(0, 2), expect.stringMatching(/again/)])
    }
  )
})

test('a server that answers one request at a time keeps the others waiting without a default', async () => {
  const { client } = await clientWith()
  const waiting: ServerResponse[] = []
  reply = () => (response) => void waiting.push(response)
  const all = Array.from({ length: 4 }, () => client.getBooleanDetails('f', false))
  const answering = setInterval(() => {
    const response = waiting.pop()
    response?.writeHead(200, { 'content-type': 'application/json' })
    response?.end('{"key":"f","value":true,"reason":"STATIC"}')
  }, 800)
  for (const details of await Promise.all(all)) expect(details).toMatchObject({ value: true })
  clearInterval(answering)
})

test('a provider that evaluates remotely becomes ready with a new key, without the back-off of the refused one', async () => {
  let key = 'refused-key'
  const retry = { initialMs: 10, maxMs: 20, refusedMs: 60_000, refusedMaxMs: 60_000 }
  reply = () => (received.at(-1)?.key === 'refused-key' ? { status: 401 } : {})
  const { client } = await clientWith({ sdkKey: () => key, retry })
  expect(client.providerStatus).toBe(ProviderStatus.ERROR)
  key = 'accepted-key'
  await expect.poll(() => client.providerStatus).toBe(ProviderStatus.READY)
})

describe('while there is no config', () => {
  const source: Source = { name: 'the silent source', start: () => {}, close: () => {} }
  const silent = { source, evaluation: 'inProcess', initTimeoutMs: 20 } as const
  const hurried = { initialMs: 1, maxMs: 1, refusedMs: 60_000, refusedMaxMs: 60_000 }

  it('an error result of the server is returned and stops no requests', async () => {
    const { client } = await clientWith(silent)
    reply = () => ({ status: 400, body: { key: 'f', errorCode: 'GENERAL', errorDetails: 'so' } })
    for (let count = 0; count < 2; count++) {
      const details = await client.getBooleanDetails('f', false)
      expect(details).toMatchObject({ ...error('GENERAL'), errorMessage: 'so' })
    }
    expect(received).toHaveLength(2)
  })

  it('a server that refuses the key gets no request for longer than one that does not answer', async () => {
    const { client } = await clientWith({ ...silent, retry: hurried })
    reply = () => ({ status: 401 })
    expect(await client.getBooleanDetails('f', false)).toMatchObject({
      ...error('PROVIDER_NOT_READY'),
      errorMessage: expect.stringContaining('refuses the SDK key')
    })
    await settled(() => received.length)
    expect(await client.getBooleanDetails('f', false)).toMatchObject(error('PROVIDER_NOT_READY'))
    expect(received).toHaveLength(1)
  })

  it('one trial request decides whether a server that hangs answers; other evaluations get their default at once', async () => {
    const { client } = await clientWith({ ...silent, requestTimeoutMs: 1_000, retry: { initialMs: 50, maxMs: 50 } })
    let open = 0
    let most = 0
    reply = () => (response) => {
      open += 1
      most = Math.max(most, open)
      response.on('close', () => {
        open -= 1
      })
    }
    // Several cool-downs, each followed by one trial request.
    await expect
      .poll(
        async () => {
          const trial = Promise.all(Array.from({ length: 20 }, () => client.getBooleanDetails('f', false)))
          for (const details of await trial) expect(details).toMatchObject(error('PROVIDER_NOT_READY'))
          return received.length
        },
        { interval: 10 }
      )
      .toBeGreaterThan(2)
    expect(most).toBe(1)
    reply = () => ({})
    await expect.poll(() => client.getBooleanValue('f', false)).toBe(true)
    const all = await Promise.all(Array.from({ length: 20 }, () => client.getBooleanValue('f', false)))
    expect(all).toEqual(Array.from({ length: 20 }, () => true))
  })

  it('evaluations use a new key at once, without the back-off of the refused one', async () => {
    let key = 'refused-key'
    const { client } = await clientWith({ ...silent, sdkKey: () => key, retry: hurried })
    reply = () => (received.at(-1)?.key === 'refused-key' ? { status: 401 } : {})
    expect(await client.getBooleanDetails('f', false)).toMatchObject(error('PROVIDER_NOT_READY'))
    expect(await client.getBooleanDetails('f', false)).toMatchObject(error('PROVIDER_NOT_READY'))
    expect(received).toHaveLength(1)
    key = 'accepted-key'
    expect(await client.getBooleanValue('f', false)).toBe(true)
  })

  it('429 returns the default', async () => {
    const { client } = await clientWith(silent)
    reply = () => ({ status: 429, headers: { 'retry-after': '60' } })
    for (let count = 0; count < 2; count++) {
      expect(await client.getBooleanDetails('f', false)).toMatchObject(error('PROVIDER_NOT_READY'))
    }
    expect(received).toHaveLength(1)
  })

  it('a reopened provider makes requests again without the earlier pause', async () => {
    const { client, provider } = await clientWith({ ...silent, retry: { initialMs: 60_000, maxMs: 60_000 } })
    reply = () => ({ status: 503 })
    await client.getBooleanValue('f', false)
    await provider.onClose()
    reply = () => ({})
    await provider.initialize().catch(() => {})
    expect(await client.getBooleanDetails('f', false)).toMatchObject({ value: true, reason: 'STATIC' })
  })
})

test.each(['', '.', '..', 'a\ud800'])('the key %j causes no request', async (key) => {
  const { client } = await clientWith()
  const near = new BurgeeProvider({ source: staticSource(config), logger: quiet })
  await near.initialize()
  received = []
  const details = await client.getBooleanDetails(key, true)
  expect(details).toMatchObject({ value: true, reason: 'ERROR', errorCode: 'FLAG_NOT_FOUND' })
  const { errorMessage } = await near.resolveBooleanEvaluation(key, true, {})
  expect(details.errorMessage).toBe(errorMessage)
  expect(received).toEqual([])
})

test('a response for another flag is an error', async () => {
  const { client } = await clientWith()
  reply = () => ({ body: { key: 'other', value: true, reason: 'STATIC' } })
  expect(await client.getBooleanDetails('f', false)).toMatchObject(error('GENERAL'))
})

test('an error message of the server does not contain the key', async () => {
  const { client } = await clientWith({ sdkKey: 'dvc_server_secret/key' })
  reply = () => ({
    status: 400,
    body: { key: 'f', errorCode: 'GENERAL', errorDetails: 'no dvc_server_secret/key, no dvc_server_secret%2Fkey' }
  })
  expect(await client.getBooleanDetails('f', false)).toMatchObject({ errorMessage: 'no <sdk key>, no <sdk key>' })
})

test('the message about a refused key quotes the server', async () => {
  reply = () => ({ status: 403, body: { message: 'this takes a server key' } })
  const { started } = await clientWith()
  expect(started?.message).toBe(`${url} refuses the SDK key (status 403): this takes a server key`)
})

test('messages about failures are one line', async () => {
  reply = () => ({ status: 403, body: { message: 'a\nb\u001b[31m' } })
  const { client, provider, started } = await clientWith({
    staleAfterMs: 5,
    retry: { initialMs: 5, maxMs: 5, refusedMs: 5, refusedMaxMs: 5 }
  })
  const said = `${url} refuses the SDK key (status 403): a\\u000ab\\u001b[31m`
  expect(started?.message).toBe(said)
  expect((await client.getBooleanDetails('f', false)).errorMessage).toContain(said)
  reply = () => ({})
  await expect.poll(() => client.providerStatus).toBe(ProviderStatus.READY)
  const messages: unknown[] = []
  provider.events.addHandler(ProviderEvents.Stale, (details) => void messages.push(details?.message))
  reply = () => ({ status: 403, body: { message: 'a\nb\u001b[31m' } })
  await client.getBooleanValue('f', false)
  await expect.poll(() => messages).toEqual([said])
})

test('a key is masked before a quote of the server is cut', async () => {
  const sdkKey = 'dvc_server_of-the-tests'
  reply = () => ({ status: 403, body: { message: `${'x'.repeat(290)}${sdkKey}` } })
  const { started } = await clientWith({ sdkKey })
  expect(started?.message).toContain('xxx<sdk key>')
  expect(started?.message).not.toContain('dvc')
})

test('a bigint is left out of the context, as in process', async () => {
  const { client } = await clientWith()
  received = []
  const context = { targetingKey: 'ada', big: 1n, customData: { big: 1n, size: 1 } } as never
  expect(await client.getBooleanValue('f', false, context)).toBe(true)
  expect(JSON.parse(received[0]!.text)).toEqual({ context: { targetingKey: 'ada', customData: { size: 1 } } })
})

describe('an invalid evaluation', () => {
  const circle: { self?: unknown } = {}
  circle.self = circle

  test.each<[string, string, object, string]>([
    ['a context that is not JSON', 'f', { targetingKey: 1n }, 'INVALID_CONTEXT'],
    ['a targeting key without end', 'f', { targetingKey: circle }, 'INVALID_CONTEXT'],
    ['a key that no flag has', '..', {}, 'FLAG_NOT_FOUND']
  ])('does not affect the status: %s', async (_, key, context, errorCode) => {
    const quick = { staleAfterMs: 5, errorAfterMs: 10, retry: { initialMs: 60_000, maxMs: 60_000 } }
    const { client } = await clientWith(quick)
    for (let count = 0; count < 4; count++) {
      expect(await client.getBooleanDetails(key, false, context as never)).toMatchObject(error(errorCode))
    }
    await settled(() => received.length)
    expect(client.providerStatus).toBe(ProviderStatus.READY)
    expect(await client.getBooleanValue('f', false)).toBe(true)
    reply = () => ({ status: 503 })
    await client.getBooleanValue('f', false)
    await expect.poll(() => client.providerStatus).toBe(ProviderStatus.ERROR)
    await client.getBooleanDetails(key, false, context as never)
    expect(client.providerStatus).toBe(ProviderStatus.ERROR)
  })
})

test('many concurrent evaluations cause no warning', async () => {
  const warnings: Error[] = []
  const note = (warning: Error): void => void warnings.push(warning)
  process.on('warning', note)
  const { client } = await clientWith()
  await Promise.all(Array.from({ length: 50 }, () => client.getBooleanValue('f', false)))
  await settled(() => warnings.length)
  process.off('warning', note)
  expect(warnings).toEqual([])
})

test('a remote provider can be closed and used again', async () => {
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
    Number.POSITIVE_INFINITY,
    Number.NaN,
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
      targetingKey: fc.oneof(fc.string({ maxLength: 220 }), fc.constantFrom<unknown>(0, 5, true, null, { a: 1 }, [1])),
      user_id: fc.constantFrom<unknown>('ada', 5, undefined),
      constructor: value,
      prototype: value,
      email: value,
      age: value,
      customer: value,
      fn: value,
      ln: value,
      customData: fc.dictionary(fc.constantFrom('age', 'customer', 'fn', 'constructor', '__proto__'), value)
    },
    { requiredKeys: [] }
  )

  it('returns the result of evaluation in process for any context', async () => {
    const common = { flagMetadata: false, events: false, logger: quiet } as const
    const far = new BurgeeProvider({ ...common, url: served.server.url, sdkKey: served.sdkKey, evaluation: 'remote' })
    const near = new BurgeeProvider({ ...common, source: staticSource(config) })
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

  test.each([
    ['NUL', { targetingKey: 'ada', text: 'a\0' }, 'PARSE_ERROR'],
    ['half a surrogate pair', { targetingKey: 'ada', text: 'a\ud83d' }, 'PARSE_ERROR'],
    [
      'many members',
      Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`m${index}`, 1])),
      'INVALID_CONTEXT'
    ],
    ['more than it reads', { targetingKey: 'ada', text: 'x'.repeat(1024 * 1024) }, 'GENERAL']
  ])('refuses a context with %s, which evaluation in process reads', async (_, context, errorCode) => {
    const { client } = await clientWith({ url: served.server.url, sdkKey: served.sdkKey })
    const near = await clientWith({ evaluation: 'inProcess', source: staticSource(config) })
    expect(await client.getStringDetails('string-flag', '', context)).toMatchObject({ errorCode })
    expect(await near.client.getStringDetails('string-flag', '', context)).toMatchObject({ value: 'hi' })
  })

  it('evaluates while there is no config', async () => {
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
