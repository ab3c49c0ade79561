import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ProviderStatus } from '@openfeature/server-sdk'
import { afterAll, expect, test } from 'vitest'
import { fallbackSource, fileSource, pollingSource, type Source, staticSource } from '../src/index.ts'
import { configOf } from './support/configs.ts'
import { fakeServer } from './support/fakeServer.ts'
import { type Bound, bind, delay, quick, sdkKey, until } from './support/harness.ts'

const red = configOf({ color: 'red' })
const blue = configOf({ color: 'blue' })
const directories: string[] = []

afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

async function temporary(name: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'burgee-provider-'))
  directories.push(directory)
  return join(directory, name)
}

async function write(path: string, content: unknown): Promise<void> {
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
}

const color = ({ client }: Bound) => client.getStringValue('color', 'default')

test.each([
  ['in place', write],
  [
    'by another file that takes its name',
    async (path: string, content: unknown) => {
      await write(`${path}.new`, content)
      await rename(`${path}.new`, path)
    }
  ]
])('a file source reads the file again when it changes %s', async (_, change) => {
  const path = await temporary('flags.json')
  await write(path, red)
  // The interval is so long that only the watch can notice a change.
  const bound = await bind({ ...quick, source: fileSource(path, { pollIntervalMs: 3_600_000 }) })
  expect(await color(bound)).toBe('red')
  for (const [config, value] of [
    [blue, 'blue'],
    [red, 'red'],
    [blue, 'blue']
  ] as const) {
    await change(path, config)
    await until(async () => (await color(bound)) === value)
  }
})

test('a file source keeps the last config while the file is incomplete or missing', async () => {
  const path = await temporary('flags.json')
  await write(path, red)
  const bound = await bind({ ...quick, source: fileSource(path, { pollIntervalMs: 20 }) })
  await write(path, JSON.stringify(blue).slice(0, 100))
  await until(() => bound.events.includes('STALE'))
  expect(bound.logs.join()).toContain(`the file ${path} is not JSON: `)
  await write(path, blue)
  await until(async () => (await color(bound)) === 'blue')
  expect(bound.client.providerStatus).toBe(ProviderStatus.READY)
  await rename(path, `${path}.away`)
  await until(() => bound.logs.join().includes(`the file ${path} cannot be read: ENOENT`))
  expect(await color(bound)).toBe('blue')
  // An unchanged file is read again, too.
  await rename(`${path}.away`, path)
  await until(() => bound.client.providerStatus === ProviderStatus.READY)
})

test('a file source ignores a byte order mark', async () => {
  const path = await temporary('flags.json')
  await write(path, `\ufeff${JSON.stringify(red)}`)
  const bound = await bind({ ...quick, initTimeoutMs: 500, source: fileSource(path) })
  expect(await color(bound)).toBe('red')
})

test('a file source refuses bytes that are not UTF-8', async () => {
  const path = await temporary('flags.json')
  const bytes = Buffer.from(JSON.stringify(red))
  bytes[bytes.indexOf('red')] = 0xff
  await writeFile(path, bytes)
  const bound = await bind({ ...quick, initTimeoutMs: 300, source: fileSource(path) })
  expect(bound.logs.join('\n')).toMatch(/the file .*flags\.json is not JSON: .*utf-8/)
  expect(await color(bound)).toBe('default')
})

test('a file source follows a symbolic link that is replaced, as Kubernetes does', async () => {
  const path = await temporary('flags.json')
  const directory = dirname(path)
  for (const [name, config] of [
    ['v1', red],
    ['v2', blue]
  ] as const) {
    await mkdir(join(directory, name))
    await write(join(directory, name, 'flags.json'), config)
  }
  await symlink('v1', join(directory, '..data'))
  await symlink('..data/flags.json', path)
  const bound = await bind({ ...quick, source: fileSource(path, { pollIntervalMs: 3_600_000 }) })
  expect(await color(bound)).toBe('red')
  await symlink('v2', join(directory, '..new'))
  await rename(join(directory, '..new'), join(directory, '..data'))
  await until(async () => (await color(bound)) === 'blue')
})

test('a file source notices without a poll that a missing file is back', async () => {
  const path = await temporary('flags.json')
  await write(path, red)
  const bound = await bind({ ...quick, source: fileSource(path, { pollIntervalMs: 3_600_000 }) })
  await rm(path)
  await until(() => bound.client.providerStatus !== ProviderStatus.READY)
  await write(path, blue)
  await until(async () => (await color(bound)) === 'blue')
})

test('a file source watches a directory again that was deleted and created', async () => {
  const path = join(await temporary('within'), 'flags.json')
  await mkdir(dirname(path))
  await write(path, red)
  const polling = { pollIntervalMs: 2_000 }
  const bound = await bind({ ...quick, source: fileSource(path, polling) })
  await rm(dirname(path), { recursive: true })
  await until(() => bound.client.providerStatus !== ProviderStatus.READY)
  await mkdir(dirname(path))
  await write(path, blue)
  await until(async () => (await color(bound)) === 'blue')
  // The watch is active again: five changes take less time than one poll interval.
  const begin = performance.now()
  for (const [config, value] of [
    [red, 'red'],
    [blue, 'blue'],
    [red, 'red'],
    [blue, 'blue'],
    [red, 'red']
  ] as const) {
    await write(path, config)
    await until(async () => (await color(bound)) === value)
  }
  // With polls alone this takes at least eight seconds.
  expect(performance.now() - begin).toBeLessThan(7_500)
})

test('a file source reads the file although other files in its directory change all the time', async () => {
  const path = await temporary('flags.json')
  await write(path, red)
  const bound = await bind({ ...quick, source: fileSource(path, { pollIntervalMs: 3_600_000 }) })
  let isBusy = true
  const busy = (async () => {
    for (let count = 0; isBusy; count++) {
      await writeFile(`${path}.log`, String(count))
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  })()
  await rename(path, `${path}.old`)
  await write(`${path}.new`, blue)
  await rename(`${path}.new`, path)
  await until(async () => (await color(bound)) === 'blue')
  isBusy = false
  await busy
})

test('a file source waits for a file that does not exist yet', async () => {
  const path = await temporary('flags.json')
  const bound = await bind({ ...quick, initTimeoutMs: 300, source: fileSource(path, { pollIntervalMs: 20 }) })
  expect(bound.error).toBeDefined()
  await write(path, red)
  await until(() => bound.client.providerStatus === ProviderStatus.READY)
  expect(await color(bound)).toBe('red')
})

test('a fallback source uses the first source with a config, and an earlier one as soon as it has one', async () => {
  const server = await fakeServer({ config: blue, at: 1 })
  await server.stop()
  const path = await temporary('flags.json')
  await write(path, red)
  const source = fallbackSource(
    pollingSource({ ...quick, url: server.url, sdkKey }),
    fileSource(path, { pollIntervalMs: 20 })
  )
  const bound = await bind({ ...quick, source })
  expect(await color(bound)).toBe('red')
  expect(bound.client.providerStatus).toBe(ProviderStatus.READY)
  await server.start()
  await until(async () => (await color(bound)) === 'blue')
  await write(path, configOf({ color: 'grey' }))
  await server.stop()
  await until(() => bound.client.providerStatus === ProviderStatus.ERROR)
  expect(await color(bound)).toBe('blue')
})

test('a fallback source skips a source with a malformed config', async () => {
  const bound = await bind({ ...quick, source: fallbackSource(staticSource({} as never), staticSource(red)) })
  expect(await color(bound)).toBe('red')
})

test('a fallback source fails the start when all of its sources fail', async () => {
  const source = fallbackSource(fileSource('/nonexistent/a.json'), fileSource('/nonexistent/b.json'))
  const bound = await bind({ ...quick, initTimeoutMs: 300, source })
  expect(bound.error).toBeDefined()
  await until(() => bound.logs.join().includes('the file /nonexistent/b.json cannot be read'))
})

/** Runs a provider with this cache file, and stops its server. */
async function ranBefore(cacheFile: string) {
  const server = await fakeServer({
    config: { ...red, sse: { hostname: 'http://127.0.0.1:1', path: `/?sdkKey=${sdkKey}` } },
    at: 1
  })
  const bound = await bind({ ...quick, url: server.url, sdkKey, cacheFile })
  await bound.provider.onClose()
  await server.stop()
  return server
}

test('a provider starts from its cache file without the server', async () => {
  const cacheFile = await temporary('copy.json')
  const server = await ranBefore(cacheFile)
  expect(await readFile(cacheFile, 'utf8')).not.toContain(sdkKey)
  expect((await stat(cacheFile)).mode & 0o777).toBe(0o600)
  const bound = await bind({ ...quick, url: server.url, sdkKey, cacheFile, bootstrap: configOf({ color: 'old' }) })
  expect(bound.error).toBeUndefined()
  expect(await bound.client.getStringDetails('color', 'default')).toMatchObject({ value: 'red', reason: 'STATIC' })
  await until(() => bound.events.includes('STALE'))
  server.version = { config: blue, at: 2 }
  await server.start()
  await until(async () => (await color(bound)) === 'blue')
  await until(async () => (await readFile(cacheFile, 'utf8')).includes('blue'))
  const names = await readdir(join(cacheFile, '..'))
  expect(names).toEqual(['copy.json'])
})

test('a document older than the cache file is ignored', async () => {
  const cacheFile = await temporary('copy.json')
  const server = await fakeServer({ config: red, at: 10 })
  const before = await bind({ ...quick, url: server.url, sdkKey, cacheFile })
  await before.provider.onClose()
  server.version = { config: blue, at: 9 }
  const bound = await bind({ ...quick, url: server.url, sdkKey, cacheFile })
  await until(() => bound.logs.some((line) => line.includes('older config than the one in use')))
  expect(await color(bound)).toBe('red')
})

test('a cached config older than maxAge is used as STALE when there is no other', async () => {
  const cacheFile = await temporary('copy.json')
  const server = await ranBefore(cacheFile)
  await utimes(cacheFile, 1_000, 1_000)
  const bound = await bind({
    ...quick,
    url: server.url,
    sdkKey,
    cacheFile,
    maxAge: 60_000,
    staleAfterMs: 60_000,
    errorAfterMs: 60_000
  })
  expect(bound.error).toBeUndefined()
  await until(() => bound.events.includes('STALE'))
  expect(await bound.client.getStringDetails('color', 'default')).toMatchObject({ value: 'red', reason: 'STALE' })
  await server.start()
  await until(() => bound.client.providerStatus === ProviderStatus.READY)
  expect(await bound.client.getStringDetails('color', 'default')).toMatchObject({ value: 'red', reason: 'STATIC' })
  expect(bound.events).toEqual(['STALE', 'READY'])
  await until(async () => (await stat(cacheFile)).mtimeMs > Date.now() - 60_000)
})

test('a cached config older than maxAge yields to the bootstrap and to the server', async () => {
  const cacheFile = await temporary('copy.json')
  const server = await ranBefore(cacheFile)
  await utimes(cacheFile, 1_000, 1_000)
  const offline = await bind({ ...quick, url: server.url, sdkKey, cacheFile, maxAge: 60_000, bootstrap: blue })
  expect(await offline.client.getStringDetails('color', 'default')).toMatchObject({ value: 'blue', reason: 'STATIC' })
  server.version = { config: configOf({ color: 'green' }), at: 2 }
  await server.start()
  const online = await bind({ ...quick, url: server.url, sdkKey, cacheFile, maxAge: 60_000, initTimeoutMs: 5_000 })
  expect(await color(online)).toBe('green')
  expect(online.events).toEqual([])
})

test('a config that was just confirmed is not STALE although its source failed', async () => {
  const server = await fakeServer({ config: red, at: 1 })
  const bound = await bind({ ...quick, url: server.url, sdkKey, maxAge: 60_000 })
  await server.stop()
  await until(() => bound.client.providerStatus === ProviderStatus.ERROR)
  expect(await bound.client.getStringDetails('color', 'default')).toMatchObject({ value: 'red', reason: 'STATIC' })
})

test('a config that was not confirmed for maxAge is STALE', async () => {
  const server = await fakeServer({ config: red, at: 1 })
  const bound = await bind({ ...quick, url: server.url, sdkKey, maxAge: 50 })
  const reason = async () => (await bound.client.getStringDetails('color', 'default')).reason
  expect(await reason()).toBe('STATIC')
  await server.stop()
  await until(async () => (await reason()) === 'STALE')
  await server.start()
  await until(async () => (await reason()) === 'STATIC')
})

test.each([
  ['invalid JSON', 'oops', 'is not valid JSON'],
  ['another format', '{"format":"other"}', 'its "format" should be "burgee-config-1"'],
  ['the config of another environment', undefined, 'it belongs to another server, environment or SDK key']
])('a cache file with %s is not used', async (_, content, message) => {
  const cacheFile = await temporary('copy.json')
  const server = await ranBefore(cacheFile)
  if (content) await writeFile(cacheFile, content)
  const bound = await bind({
    ...quick,
    initTimeoutMs: 300,
    url: server.url,
    sdkKey: content ? sdkKey : 'another-key',
    cacheFile
  })
  expect(bound.error).toBeDefined()
  await until(() => bound.logs.join('\n').includes(message))
  expect(await color(bound)).toBe('default')
})

test('a cache file is decoded as a download is: a byte order mark is ignored, and it has to be UTF-8', async () => {
  const cacheFile = await temporary('copy.json')
  const server = await ranBefore(cacheFile)
  const bytes = await readFile(cacheFile)
  const start = async () => bind({ ...quick, initTimeoutMs: 300, url: server.url, sdkKey, cacheFile })
  await writeFile(cacheFile, Buffer.concat([Buffer.from('\ufeff'), bytes]))
  expect(await color(await start())).toBe('red')
  bytes[bytes.indexOf('red')] = 0xff
  await writeFile(cacheFile, bytes)
  const bound = await start()
  expect(bound.logs.join('\n')).toMatch(/the cache file .* is not used: .*utf-8/)
  expect(await color(bound)).toBe('default')
})

test('a cache file that cannot be written is logged and has no other effect', async () => {
  const server = await fakeServer({ config: red, at: 1 })
  const bound = await bind({ ...quick, url: server.url, sdkKey, cacheFile: '/dev/null/copy.json' })
  expect(await color(bound)).toBe('red')
  await until(() => bound.logs.some((line) => line.includes('the cache file /dev/null/copy.json cannot be written: ')))
  expect(bound.client.providerStatus).toBe(ProviderStatus.READY)
})

test('the directory of the cache file is created', async () => {
  const server = await fakeServer({ config: red, at: 1 })
  const cacheFile = join(await temporary('a'), 'b', 'copy.json')
  await bind({ ...quick, url: server.url, sdkKey, cacheFile })
  await until(async () => (await readFile(cacheFile, 'utf8').catch(() => '')).includes('red'))
})

test('a cache file that is not a regular file is not read', async () => {
  const server = await fakeServer({ config: red, at: 1 })
  const cacheFile = await temporary('endless')
  await symlink('/dev/zero', cacheFile)
  const bound = await bind({ ...quick, url: server.url, sdkKey, cacheFile })
  expect(await color(bound)).toBe('red')
  expect(bound.logs).toContain(`the cache file ${cacheFile} is not used: it is not a regular file`)
})

test('a cache file that is larger than the limit is not read', async () => {
  const cacheFile = await temporary('copy.json')
  const server = await ranBefore(cacheFile)
  await server.start()
  const bound = await bind({ ...quick, url: server.url, sdkKey, cacheFile, maxBytes: 100, initTimeoutMs: 200 })
  expect(bound.logs).toContain(`the cache file ${cacheFile} is not used: it is larger than 200 bytes`)
})

test('a cache file belongs to the key of its request, even if the key is replaced', async () => {
  const cacheFile = await temporary('copy.json')
  const server = await fakeServer({ config: red, at: 1 })
  let key = 'key-of-production'
  const options = { ...quick, url: server.url, cacheFile }
  const bound = await bind({ ...options, sdkKey: () => key })
  key = 'key-of-staging'
  server.version = { config: { ...blue, environment: { _id: 'staging', key: 'staging' } }, at: 2 }
  await until(() => server.streams.size === 1)
  for (const stream of server.streams) stream.destroy()
  await until(async () => (await color(bound)) === 'blue')
  await until(async () => (await readFile(cacheFile, 'utf8').catch(() => '')).includes('blue'))
  await bound.provider.onClose()
  await server.stop()
  const production = await bind({ ...options, sdkKey: 'key-of-production', initTimeoutMs: 100 })
  expect(production.error).toBeDefined()
  expect(await color(await bind({ ...options, sdkKey: 'key-of-staging' }))).toBe('blue')
})

test('a cache file belongs to the key of the last request, even if the config is the same', async () => {
  const cacheFile = await temporary('copy.json')
  const server = await fakeServer({ config: red, at: 1 })
  let key = 'key-of-old'
  const options = { ...quick, cacheFile, initTimeoutMs: 100 }
  const from = (sdkKey: string | (() => string)) => pollingSource({ ...quick, url: server.url, sdkKey })
  const bound = await bind({ ...options, initTimeoutMs: 5_000, source: from(() => key) })
  await until(async () => (await readFile(cacheFile, 'utf8').catch(() => '')).includes('red'))
  const old = await readFile(cacheFile, 'utf8')
  key = 'key-of-new'
  await until(() => server.requests.filter(({ url }) => url?.includes(key)).length > 2)
  await until(async () => (await readFile(cacheFile, 'utf8')) !== old)
  expect(server.requests.find(({ url }) => url?.includes(key))?.headers).not.toHaveProperty('if-none-match')
  expect(server.requests.at(-1)?.headers).toHaveProperty('if-none-match')
  expect(bound.events).toEqual([])
  await bound.provider.onClose()
  await server.stop()
  expect((await bind({ ...options, source: from('key-of-old') })).error).toBeDefined()
  expect(await color(await bind({ ...options, source: from('key-of-new') }))).toBe('red')
})

test('messages of a source are logged in one line', async () => {
  const source: Source = {
    name: 'a\nb',
    start: ({ onWarning: onTrouble, onFailure, onConfig }) => {
      onTrouble('c\nd')
      onFailure({ message: 'e\nf' })
      onConfig({ config: red })
    },
    close: () => {}
  }
  const bootstrap = () => Promise.reject(new Error('g\nh'))
  const bound = await bind({ ...quick, source, bootstrap })
  await until(() => bound.logs.length === 4)
  expect(bound.logs).toEqual([
    'c\\u000ad',
    'e\\u000af',
    'a\\u000ab can be read again',
    'the bootstrap is not used: g\\u000ah'
  ])
})

test('a cache file of a source with another key is not used', async () => {
  const cacheFile = await temporary('copy.json')
  const server = await fakeServer({ config: red, at: 1 })
  const from = (key: string, given = {}) =>
    bind({
      ...quick,
      ...given,
      cacheFile,
      source: fallbackSource(
        pollingSource({ ...quick, url: server.url, sdkKey: key }),
        fileSource('/nonexistent/a.json')
      )
    })
  await (await from('key-of-production')).provider.onClose()
  await server.stop()
  expect((await from('key-of-staging', { initTimeoutMs: 200 })).error).toBeDefined()
  expect(await color(await from('key-of-production'))).toBe('red')
})

test('a source that reports an unchanged config before its first one is a failure', async () => {
  const source: Source = { name: 'the odd source', start: ({ onUnchanged }) => onUnchanged(), close: () => {} }
  const bound = await bind({ ...quick, source, initTimeoutMs: 50 })
  expect(bound.error?.message).toBe(
    'there is no config after 50 ms: the odd source reports an unchanged config, but has delivered none'
  )
})

test('the status becomes STALE together with the reason', async () => {
  const server = await fakeServer({ config: red, at: 1 })
  const slow = { staleAfterMs: 60_000, errorAfterMs: 60_000 }
  const bound = await bind({ ...quick, ...slow, url: server.url, sdkKey, maxAge: 50 })
  await server.stop()
  await until(() => bound.events.includes('STALE'))
  expect(await bound.client.getStringDetails('color', 'default')).toMatchObject({ value: 'red', reason: 'STALE' })
  await server.start()
  await until(() => bound.client.providerStatus === ProviderStatus.READY)
  expect(bound.events).toEqual(['STALE', 'READY'])
})

test('a bootstrap that exceeds maxAge while the source is silent is STALE in status and reason', async () => {
  const source: Source = { name: 'the silent source', start: () => {}, close: () => {} }
  const bound = await bind({ ...quick, source, bootstrap: red, maxAge: 50 })
  await until(() => bound.events.includes('STALE'))
  expect(await bound.client.getStringDetails('color', 'default')).toMatchObject({ reason: 'STALE' })
})

test('a source that was unavailable during the start is announced as STALE after it', async () => {
  const source: Source = {
    name: 'the lost source',
    start: ({ onFailure }) => onFailure({ message: 'lost' }),
    close: () => {}
  }
  const late = { staleAfterMs: 20, errorAfterMs: 60_000, initTimeoutMs: 60_000 }
  const bound = await bind({ ...quick, ...late, source, bootstrap: () => delay(200).then(() => red) })
  expect(bound.error).toBeUndefined()
  expect(bound.client.providerStatus).toBe(ProviderStatus.READY)
  await until(() => bound.events.includes('STALE'))
  expect(bound.events).toEqual(['STALE'])
})
