import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import * as provider from '../src/index.ts'
import { configOf } from './support/configs.ts'

const directory = new URL('..', import.meta.url).pathname

test('the package exports exactly these names', () => {
  const index = readFileSync(`${directory}src/index.ts`, 'utf8')
  const lists = [...index.matchAll(/export (type )?\{([^}]*)\}/g)]
  const names = lists.flatMap(([, isType, list]) =>
    (list ?? '').split(',').map((name) => (isType ? `type ${name.trim()}` : name.trim()))
  )
  expect(names.filter((name) => name && !name.startsWith('type ')).sort()).toEqual(Object.keys(provider).sort())
  expect(names.filter(Boolean).sort()).toMatchInlineSnapshot(`
    [
      "BurgeeProvider",
      "fallbackSource",
      "fileSource",
      "pollingSource",
      "staticSource",
      "streamingSource",
      "type CommonOptions",
      "type ConfigUpdate",
      "type EventOptions",
      "type FileSourceOptions",
      "type PollingSourceOptions",
      "type ProviderOptions",
      "type RetryOptions",
      "type ServerOptions",
      "type Source",
      "type SourceFailure",
      "type SourceListener",
      "type StaticSource",
      "type StreamOptions",
      "type StreamingSourceOptions",
    ]
  `)
})

test('the package depends on core and a parser, and on the SDK as a peer', () => {
  const manifest = JSON.parse(readFileSync(`${directory}package.json`, 'utf8'))
  expect(Object.keys(manifest.dependencies)).toEqual(['@burgee/core', 'eventsource-parser'])
  expect(Object.keys(manifest.peerDependencies)).toEqual(['@openfeature/server-sdk'])
})

test.each([
  ['in process', {}],
  ['remotely', { evaluation: 'remote' }]
])('a program whose server is down continues at the deadline of the start: %s', (_, mode) => {
  const options = { url: 'http://127.0.0.1:1', sdkKey: 'key', initTimeoutMs: 500, ...mode }
  expect(runWith(options)).toBe('rejected\ndefault')
})

test('a program whose server never answers continues at the deadline of the start', async () => {
  // It accepts connections in the kernel, and that is all.
  const silent = createServer(() => {})
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const output = runWith({ url: `http://127.0.0.1:${port}`, sdkKey: 'key', initTimeoutMs: 500 })
  silent.close()
  expect(output).toBe('rejected\ndefault')
})

/** Returns the output of a program with only a provider, which ends by itself. */
function runWith(options: object): string {
  const script = `
    import { BurgeeProvider } from '@burgee/openfeature-provider'
    import { OpenFeature } from '@openfeature/server-sdk'
    const provider = new BurgeeProvider(${JSON.stringify(options)})
    await OpenFeature.setProviderAndWait(provider).catch(() => console.log('rejected'))
    console.log(await OpenFeature.getClient().getStringValue('color', 'default'))
    await OpenFeature.close()`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: directory,
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'ignore']
  }).trim()
}

test('the built package can be imported by name and keeps no process alive while the server is down', () => {
  const config = JSON.stringify(configOf({ color: 'red' }))
  const script = `
    import { BurgeeProvider } from '@burgee/openfeature-provider'
    import { OpenFeature } from '@openfeature/server-sdk'
    const options = { url: 'http://127.0.0.1:1', sdkKey: 'key', bootstrap: ${config} }
    await OpenFeature.setProviderAndWait(new BurgeeProvider(options))
    console.log(await OpenFeature.getClient().getStringValue('color', 'default'))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: directory,
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'ignore']
  })
  expect(output.trim()).toBe('red')
})
