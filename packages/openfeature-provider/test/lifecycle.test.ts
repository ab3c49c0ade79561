import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OpenFeature, ProviderStatus } from '@openfeature/server-sdk'
import { expect, test } from 'vitest'
import { BurgeeProvider, fileSource, pollingSource, staticSource, streamingSource } from '../src/index.ts'
import { configOf } from './support/configs.ts'
import { fakeServer } from './support/fakeServer.ts'
import { attach, bind, quick, sdkKey, settled, until } from './support/harness.ts'

const red = configOf({ color: 'red' })
const blue = configOf({ color: 'blue' })

test('a provider with a static config is ready and announces exactly the changed flags', async () => {
  const source = staticSource(configOf({ color: 'red', size: 1 }))
  const { client, events } = await bind({ source })
  expect(client.providerStatus).toBe(ProviderStatus.READY)
  source.set(configOf({ color: 'blue', size: 1 }))
  expect(await client.getStringValue('color', 'default')).toBe('blue')
  source.set(configOf({ color: 'blue', size: 1 }))
  expect(events).toEqual(['CONFIGURATION_CHANGED color'])
})

test('a provider warns once about an option that does not exist', async () => {
  const misspelled = { polIntervalMs: 5_000 }
  const { client, logs } = await bind({ ...quick, source: staticSource(red), ...misspelled })
  expect(client.providerStatus).toBe(ProviderStatus.READY)
  expect(logs).toEqual(['polIntervalMs is not an option of BurgeeProvider (did you mean pollIntervalMs?)'])
})

test('a static source copies its config, which may be changed and set again', async () => {
  const config = structuredClone(red) as { features: unknown }
  const source = staticSource(config as typeof red)
  const { client, events } = await bind({ source })
  config.features = blue.features
  expect(await client.getStringValue('color', 'default')).toBe('red')
  source.set(config as typeof red)
  expect(await client.getStringValue('color', 'default')).toBe('blue')
  expect(events).toEqual(['CONFIGURATION_CHANGED color'])
})

test('a provider keeps the last config when a malformed one is set', async () => {
  const source = staticSource(red)
  const { client, events, logs } = await bind({ ...quick, errorAfterMs: 60_000, source })
  source.set({ ...blue, features: 'none' } as never)
  await until(() => events.includes('STALE'))
  expect(await client.getStringValue('color', 'default')).toBe('red')
  expect(logs).toEqual(['the document is not a config: features should be an array, got "none"'])
  source.set(blue)
  expect(client.providerStatus).toBe(ProviderStatus.READY)
  expect(events).toEqual(['STALE', 'READY', 'CONFIGURATION_CHANGED color'])
})

test('a provider starts with the bootstrap without the server, and uses the config of the server when it is back', async () => {
  const server = await fakeServer({ config: blue, at: 1 })
  await server.stop()
  const bound = await bind({ ...quick, url: server.url, sdkKey, bootstrap: red })
  expect(bound.error).toBeUndefined()
  expect(await bound.client.getStringDetails('color', 'default')).toMatchObject({ value: 'red', reason: 'STATIC' })
  await until(() => bound.client.providerStatus === ProviderStatus.ERROR)
  await server.start()
  await until(() => bound.client.providerStatus === ProviderStatus.READY)
  expect(bound.events).toEqual(['STALE', 'ERROR', 'READY', 'CONFIGURATION_CHANGED color'])
})

test.each([
  ['a function', () => red],
  ['a function that promises one', async () => red]
])('a provider accepts a bootstrap from %s', async (_, bootstrap) => {
  const bound = await bind({ ...quick, url: 'http://127.0.0.1:1', sdkKey, bootstrap })
  expect(await bound.client.getStringValue('color', 'default')).toBe('red')
})

test.each([
  ['throws', () => Promise.reject(new Error('no such bucket')), 'the bootstrap is not used: no such bucket'],
  ['is malformed', {} as never, 'the document is not a config: project should be an object'],
  ['cannot be copied', { ...red, now: () => 1 } as never, 'the bootstrap is not used: ']
])('a provider logs that the bootstrap %s, and uses the source', async (_, bootstrap, message) => {
  const server = await fakeServer({ config: blue, at: 1 })
  server.reply = () => {}
  const bound = await bind({ ...quick, url: server.url, sdkKey, bootstrap, initTimeoutMs: 50, requestTimeoutMs: 100 })
  expect(bound.error).toBeDefined()
  expect(bound.logs[0]).toContain(message)
  server.reply = undefined
  await until(() => bound.client.providerStatus === ProviderStatus.READY)
  expect(await bound.client.getStringValue('color', 'default')).toBe('blue')
})

test('a bootstrap that resolves after the source delivered is not used', async () => {
  let give = (_: typeof red): void => {}
  const bootstrap = () => new Promise<typeof red>((resolve) => (give = resolve))
  const { client, events } = await bind({ source: staticSource(blue), bootstrap })
  give(red)
  await settled(() => events.length)
  expect(await client.getStringValue('color', 'default')).toBe('blue')
  expect(events).toEqual([])
})

test('a bootstrap that resolves after the start failed is used', async () => {
  let give = (_: typeof red): void => {}
  const bootstrap = () => new Promise<typeof red>((resolve) => (give = resolve))
  const { client, error } = await bind({ ...quick, url: 'http://127.0.0.1:1', sdkKey, bootstrap, initTimeoutMs: 30 })
  expect(error?.message).toContain('there is no config after 30 ms')
  give(red)
  await until(async () => (await client.getStringValue('color', 'default')) === 'red')
  expect(client.providerStatus).not.toBe(ProviderStatus.NOT_READY)
})

test('evaluations without a config ask a server that does not answer once, not each time', async () => {
  let asked = 0
  const counting: typeof fetch = (input, init) => {
    if (String(input).includes('/ofrep/')) asked += 1
    return fetch(input, init)
  }
  const patient = { ...quick, retry: { initialMs: 60_000, maxMs: 60_000 }, random: () => 0, initTimeoutMs: 50 }
  const { client } = await bind({ ...patient, url: 'http://127.0.0.1:1', sdkKey, fetch: counting })
  for (let count = 0; count < 20; count++) {
    const details = await client.getStringDetails('color', 'default')
    expect(details).toMatchObject({ value: 'default', errorCode: 'PROVIDER_NOT_READY' })
  }
  expect(asked).toBe(1)
})

test('a closed provider can be initialized again', async () => {
  const server = await fakeServer({ config: red, at: 1 })
  const { provider, client } = await bind({ ...quick, url: server.url, sdkKey })
  await OpenFeature.clearProviders()
  await until(() => server.streams.size === 0)
  expect(await provider.resolveStringEvaluation('color', 'default', {})).toMatchObject({
    errorCode: 'PROVIDER_NOT_READY'
  })
  server.version = { config: blue, at: 2 }
  const again = await attach(provider)
  expect(again.error).toBeUndefined()
  expect(await again.client.getStringValue('color', 'default')).toBe('blue')
  expect(await client.getStringValue('color', 'default')).toBe('default')
})

test('onClose ends every request, stream and timer, and can be called twice', async () => {
  const server = await fakeServer({ config: red, at: 1 })
  const { provider } = await bind({ ...quick, url: server.url, sdkKey })
  await until(() => server.streams.size === 1)
  await provider.onClose()
  await provider.onClose()
  await until(() => server.streams.size === 0)
  const asked = server.requests.length
  server.version = { config: blue, at: 2 }
  await settled(() => server.requests.length)
  expect(server.requests.length).toBe(asked)
  expect(server.streamRequests.length).toBe(1)
})

test('onClose during the start ends the start and its download', async () => {
  const server = await fakeServer({ config: red, at: 1 })
  let isGone = false
  server.reply = (response) => {
    response.on('close', () => {
      isGone = true
    })
  }
  const provider = new BurgeeProvider({
    ...quick,
    url: server.url,
    sdkKey,
    initTimeoutMs: 60_000,
    requestTimeoutMs: 60_000
  })
  const start = expect(provider.initialize()).rejects.toThrow('the provider was closed before it had a config')
  await until(() => server.requests.length === 1)
  await provider.onClose()
  await until(() => isGone)
  await start
})

test('an sdkKey function that throws once at the start is called again', async () => {
  const server = await fakeServer({ config: red, at: 1 })
  let asked = 0
  const lateKey = (): string => {
    asked += 1
    if (asked === 1) throw new Error('the vault is closed')
    return sdkKey
  }
  const bound = await bind({ ...quick, url: server.url, sdkKey: lateKey })
  expect(bound.error).toBeUndefined()
  expect(bound.logs.join()).toContain('the vault is closed')
  expect(await bound.client.getStringValue('color', 'default')).toBe('red')
})

test.each<[unknown, string]>([
  [undefined, 'undefined'],
  [null, 'null'],
  [42, 'a number'],
  ['', 'an empty string'],
  [{}, 'an object'],
  [Promise.resolve(null), 'a promise: the function cannot be async']
])('an sdkKey function that returns %s is reported and called again', async (returned, name) => {
  const server = await fakeServer({ config: red, at: 1 })
  let key: unknown = returned
  const options = { ...quick, url: server.url, sdkKey: () => key as string, initTimeoutMs: 100, events: {} }
  const bound = await bind(options)
  const message = `the sdkKey function should return a string of visible ASCII characters, got ${name}`
  expect(bound.error?.message).toContain(message)
  const { errorMessage } = await bound.client.getStringDetails('color', 'default')
  expect(errorMessage).toContain(message)
  expect(errorMessage).not.toContain('cannot be reached')
  key = sdkKey
  await until(() => bound.client.providerStatus === ProviderStatus.READY)
  await until(() => server.streams.size === 1)
  key = returned
  for (const stream of server.streams) stream.destroy()
  await until(() => bound.logs.filter((line) => line.includes(message)).length === 2)
  expect(await bound.client.getStringValue('color', 'default')).toBe('red')
  key = sdkKey
  await until(() => server.streams.size === 1)
})

test('an sdkKey function whose promises reject is reported, and leaves no rejection unhandled', async () => {
  const unhandled: unknown[] = []
  const listener = (reason: unknown): number => unhandled.push(reason)
  process.on('unhandledRejection', listener)
  const server = await fakeServer({ config: red, at: 1 })
  let asked = 0
  const rejected = (): string => {
    asked += 1
    return Promise.reject(new Error('the vault is closed')) as unknown as string
  }
  const bound = await bind({ ...quick, url: server.url, sdkKey: rejected, initTimeoutMs: 100, events: {} })
  expect(bound.error?.message).toContain('got a promise: the function cannot be async')
  await until(() => asked > 3)
  process.off('unhandledRejection', listener)
  expect(unhandled).toEqual([])
})

test.each([
  ['safetyPollMs', Number.POSITIVE_INFINITY],
  ['safetyPollMs', 30 * 86_400_000],
  ['pollIntervalMs', Number.POSITIVE_INFINITY],
  ['silenceMs', Number.POSITIVE_INFINITY],
  ['requestTimeoutMs', 2 ** 31],
  ['initTimeoutMs', Number.POSITIVE_INFINITY]
])('%s can be %d without causing more requests', async (name, ms) => {
  const server = await fakeServer({ config: red, at: 1 })
  const bound = await bind({ ...quick, pollIntervalMs: 60_000, url: server.url, sdkKey, [name]: ms })
  expect(bound.error).toBeUndefined()
  await until(() => server.streams.size === 1 && server.requests.length === 2)
  await settled(() => server.requests.length)
  expect(server.requests.length).toBe(2)
  expect(server.streamRequests.length).toBe(1)
  expect(bound.events).toEqual([])
})

test.each(['staleAfterMs', 'errorAfterMs'])('%s can be Infinity', async (name) => {
  const server = await fakeServer({ config: red, at: 1 })
  const slow = { staleAfterMs: 60_000, errorAfterMs: 60_000, [name]: Number.POSITIVE_INFINITY }
  const bound = await bind({ ...quick, ...slow, url: server.url, sdkKey })
  await server.stop()
  await until(() => bound.logs.length > 0)
  await settled(() => bound.events.length)
  expect(bound.events).toEqual([])
})

test.each([
  ['polling', () => pollingSource({ url: 'http://127.0.0.1:1', sdkKey, pollIntervalMs: 0 })],
  ['a file', () => fileSource('flags.json', { pollIntervalMs: 0 })],
  ['streaming', () => streamingSource({ url: 'http://127.0.0.1:1', sdkKey, pollIntervalMs: 0 })]
])('a source by %s refuses an interval of 0', (_, make) => {
  expect(make).toThrow(new RangeError('pollIntervalMs should be a number of at least 1, got 0'))
})

test.each([
  ['polling', pollingSource],
  ['streaming', streamingSource]
])('%s refuses a url that contains credentials', (_, make) => {
  expect(() => make({ url: 'https://user:secret-password@flags.example.com', sdkKey })).toThrow(
    new TypeError('url should not contain credentials, got "https://<credentials>@flags.example.com"')
  )
})

test('initialize resolves once a failed start has healed', async () => {
  const server = await fakeServer({ config: red, at: 1 })
  await server.stop()
  const { provider, client, error } = await bind({ ...quick, url: server.url, sdkKey, initTimeoutMs: 50 })
  expect(error).toBeDefined()
  await expect(provider.initialize()).rejects.toThrow('there is no config after 50 ms')
  await server.start()
  await until(() => client.providerStatus === ProviderStatus.READY)
  await provider.initialize()
})

test('a second onClose resolves after the cache file is written', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'burgee-provider-'))
  const cacheFile = join(directory, 'cache.json')
  const source = staticSource(red)
  const provider = new BurgeeProvider({ ...quick, source, cacheFile })
  await provider.initialize()
  source.set(configOf({ color: 'x'.repeat(5_000_000) }))
  void provider.onClose()
  await provider.onClose()
  expect((await readFile(cacheFile, 'utf8')).length).toBeGreaterThan(5_000_000)
  await rm(directory, { recursive: true })
})

test('initialize can be called twice and starts once', async () => {
  const server = await fakeServer({ config: red, at: 1 })
  const provider = new BurgeeProvider({
    ...quick,
    source: pollingSource({ ...quick, pollIntervalMs: 60_000, url: server.url, sdkKey })
  })
  await Promise.all([provider.initialize(), provider.initialize()])
  expect(server.requests.length).toBe(1)
  await provider.onClose()
})

test('a provider serves several domains at once', async () => {
  const provider = new BurgeeProvider({ source: staticSource(red) })
  const [one, other] = [await attach(provider), await attach(provider)]
  expect(await one.client.getStringValue('color', 'default')).toBe('red')
  expect(await other.client.getStringValue('color', 'default')).toBe('red')
})

test.each([
  [{}, 'the provider needs a url and an sdkKey, or a source'],
  [
    { url: 'flags.example.com', sdkKey },
    'url should be an address such as https://flags.example.com, got "flags.example.com"'
  ],
  [
    { url: 'https://user:secret-password@flags.example.com', sdkKey },
    'url should not contain credentials, got "https://<credentials>@flags.example.com"'
  ],
  [
    { url: 'ftp://user:secret-password@flags.example.com', sdkKey },
    'url should be an address such as https://flags.example.com, got "ftp://<credentials>@flags.example.com"'
  ],
  [
    { url: 'https://flags.example.com/?project=shop', sdkKey },
    'url should not contain a query or a fragment, got "https://flags.example.com/?…"'
  ],
  [
    { url: 'https://flags.example.com#shop', sdkKey },
    'url should not contain a query or a fragment, got "https://flags.example.com#…"'
  ],
  [{ url: 'https://flags.example.com' }, 'the provider needs an sdkKey for the url'],
  [
    { url: 'https://flags.example.com', sdkKey: 'a\nb' },
    'sdkKey should be a string of visible ASCII characters, got a string with other characters'
  ],
  ...[
    ['pollIntervalMs', 0, 1],
    ['pollIntervalMs', '5', 1],
    ['safetyPollMs', -1, 1],
    ['initTimeoutMs', Number.NaN, 0],
    ['maxAge', -1, 0],
    ['errorAfterMs', Number.NaN, 0]
  ].map(([name, value, least]): [object, string] => [
    { url: 'http://127.0.0.1:1', sdkKey, [String(name)]: value },
    `${name} should be a number of at least ${least}, got ${typeof value === 'string' ? `"${value}"` : value}`
  ]),
  [{ url: 'http://127.0.0.1:1', sdkKey, retry: { maxMs: 0 } }, 'retry.maxMs should be a number of at least 1, got 0'],
  [
    { url: 'http://127.0.0.1:1', sdkKey, events: { flushIntervalMs: Number.NaN } },
    'events.flushIntervalMs should be a number of at least 1, got NaN'
  ],
  ...[Number.NaN, -1].map((maxQueuedBytes): [object, string] => [
    { url: 'http://127.0.0.1:1', sdkKey, events: { maxQueuedBytes } },
    `events.maxQueuedBytes should be a number of at least 0, got ${maxQueuedBytes}`
  ]),
  [{ source: staticSource(red), evaluation: 'remote' }, 'evaluation "remote" needs a url and an sdkKey']
])('a provider whose options %j can never work is fatal and returns defaults', async (options, message) => {
  const bound = await bind(options as never)
  expect(bound.error?.message).toBe(message)
  expect(bound.client.providerStatus).toBe(ProviderStatus.FATAL)
  expect(await bound.client.getStringValue('color', 'default')).toBe('default')
})
