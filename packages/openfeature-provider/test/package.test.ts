import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import * as provider from '../src/index.ts'
import { configOf } from './configs.ts'

const directory = new URL('..', import.meta.url).pathname

test('has these public names and no others', () => {
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

test('depends on core and a parser, and on the SDK as its application has it', () => {
  const manifest = JSON.parse(readFileSync(`${directory}package.json`, 'utf8'))
  expect(Object.keys(manifest.dependencies)).toEqual(['@burgee/core', 'eventsource-parser'])
  expect(Object.keys(manifest.peerDependencies)).toEqual(['@openfeature/server-sdk'])
})

test.each([
  ['in process', {}],
  ['remotely', { evaluation: 'remote' }]
])('a program that awaits a server that is not there goes on when the wait has ended: %s', (_, mode) => {
  const options = { url: 'http://127.0.0.1:1', sdkKey: 'key', initTimeoutMs: 500, ...mode }
  expect(runWith(options)).toBe('rejected\ndefault')
})

test('a program that awaits a server that never answers goes on when the wait has ended', async () => {
  // It accepts connections in the kernel, and that is all.
  const silent = createServer(() => {})
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const output = runWith({ url: `http://127.0.0.1:${port}`, sdkKey: 'key', initTimeoutMs: 500 })
  silent.close()
  expect(output).toBe('rejected\ndefault')
})

/** What a program with nothing but a provider says until it ends by itself. */
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
    timeout: 15_000,
    stdio: ['ignore', 'pipe', 'ignore']
  }).trim()
}

test('is imported from its built package by name, and keeps no process alive while its server is away', () => {
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
    timeout: 15_000,
    stdio: ['ignore', 'pipe', 'ignore']
  })
  expect(output.trim()).toBe('red')
})
