import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { addCleanup } from '@burgee/testing/cleanup'
import { call, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { makeFolder, run } from '../support/program.ts'
import { FLAGS, openStream, startDev } from './devProcess.ts'

// Each test starts processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

let folder: string
let file: string
let overrides: string
let environment: Readonly<Record<string, string>>
let fileArgs: readonly string[]
let remoteArgs: readonly string[]

beforeEach(async () => {
  folder = await makeFolder()
  file = join(folder, 'flags.yaml')
  overrides = join(folder, 'overrides.yaml')
  environment = { BURGEE_CONFIG_DIR: join(folder, 'config') }
  fileArgs = [file, '--environment', 'development', '--overrides', overrides]
  remoteArgs = ['--project', 'shop', '--environment', 'development', '--overrides', overrides]
  await writeFile(file, FLAGS)
})

describe('burgee dev on a file', () => {
  it('serves edits of the file and of overrides, and announces them in streams', async () => {
    const dev = await startDev(fileArgs, environment)
    expect(dev.stdout()).toMatch(/^Serving development of \S+flags\.yaml on http:\/\/127\.0\.0\.1:\d+\n/)
    expect(await dev.values()).toEqual({ 'new-checkout': true, steps: 2 })
    const received = await openStream(dev.url)

    await run(['dev', 'set', 'new-checkout', 'false', '--overrides', overrides], environment)
    await expect.poll(() => dev.values()).toEqual({ 'new-checkout': false, steps: 2 })
    await expect.poll(received).toContain('refetchConfig')
    await dev.noticed(`burgee: reloaded ${overrides}\n`)

    await writeFile(file, FLAGS.replace('steps: 2', 'steps: 3'))
    await expect.poll(() => dev.values()).toEqual({ 'new-checkout': false, steps: 3 })
    await dev.noticed(`burgee: reloaded ${file}\n`)

    await rm(overrides)
    await expect.poll(() => dev.values()).toEqual({ 'new-checkout': true, steps: 3 })

    dev.kill('SIGINT')
    expect((await dev.ended).code).toBe(130)
    await expect(dev.values()).rejects.toThrow('fetch failed')
  })

  it('names the stream of the own key in each config, also while a stream is open', async () => {
    const dev = await startDev(fileArgs, environment)
    const received = await openStream(dev.url, 'server-any')
    const streamPath = async () => {
      const response = await fetch(`${dev.url}/config/v2/server/server-any.json`)
      return ((await response.json()) as { readonly sse: { readonly path: string } }).sse.path
    }
    await writeFile(file, FLAGS.replace('steps: 2', 'steps: 3'))
    await expect.poll(received).toContain('refetchConfig')
    const path = await streamPath()
    expect(path).toContain('server-any')
    const stream = await fetch(`${dev.url}${path}`)
    await stream.body?.cancel()
    expect(stream.status).toBe(200)
  })

  it('keeps the last valid config while a file has a mistake, and reports its place', async () => {
    const dev = await startDev(fileArgs, environment)
    await writeFile(file, FLAGS.replace('serve: "on"', 'serve: "onn"'))
    await dev.noticed(/flags.yaml:15:\d+: .* refers to variation "onn", which does not exist \(did you mean on\?\)/)
    await dev.noticed('burgee: the last valid config stays in use\n')
    await writeFile(overrides, 'variables: { new-checkout: false }\nvarables: {}\n')
    await dev.noticed('overrides.yaml:2:11: varables is not known (did you mean variables?)')
    await writeFile(overrides, 'variables: { new-chekout: true, steps: many }\n')
    await dev.noticed('an override is not used: there is no variable "new-chekout" (did you mean new-checkout?)')
    await dev.noticed('an override is not used: variable "steps" is a Number, got "many"')
    expect(await dev.values()).toEqual({ 'new-checkout': true, steps: 2 })
  })

  it('starts with overrides that do not fit, and reports them, and events with --events', async () => {
    await writeFile(
      overrides,
      'features: { new-checkout: "off", serch: a }\nusers: { ada: { features: { new-checkout: "on" } } }\n'
    )
    const dev = await startDev([...fileArgs, '--override', 'gone=1', '--events'], environment)
    expect(dev.stderr()).toContain('an override is not used: there is no variable "gone"')
    expect(dev.stderr()).toContain('an override is not used: feature "serch" is not on in development')
    expect([await dev.values('ada'), await dev.values('grace')]).toEqual([
      { 'new-checkout': true, steps: 2 },
      { 'new-checkout': false, steps: 5 }
    ])
    await fetch(`${dev.url}/v1/track`, {
      method: 'POST',
      headers: { authorization: 'server-any', 'content-type': 'application/json' },
      body: JSON.stringify({ user: { user_id: 'ada' }, events: [{ type: 'purchase', value: 3 }] })
    })
    await expect.poll(dev.stdout).toContain('{"type":"event","name":"purchase","user":"ada","value":3}\n')
  })

  it('serves an edit of the overrides that is made during the start', async () => {
    // The server that it follows answers only after the edit.
    const server = await openShop()
    let edit: Promise<void> | undefined
    const slow = await openProxy(server, () => (edit ??= writeFile(overrides, 'variables: { plain: false }\n')))
    const dev = await startDev(remoteArgs, await signedIn(server, slow))
    await expect.poll(() => dev.values()).toEqual({ plain: false })
  })
})

function openShop(): Promise<TestServer> {
  return serve({
    settings: { edgeDB: { enabled: true } },
    environments: { production: {}, development: {} },
    features: [{ key: 'plain' }]
  })
}

/** Returns the environment of a developer who has a token of a server. */
async function signedIn(server: TestServer, url = server.url): Promise<Readonly<Record<string, string>>> {
  return { ...environment, BURGEE_URL: url, BURGEE_TOKEN: await tokenOf(server) }
}

/** Opens a server that passes requests on after some work. */
async function openProxy(server: TestServer, before: () => Promise<void>): Promise<string> {
  const proxy = createServer(async (request, response) => {
    await before()
    const headers = { authorization: request.headers.authorization ?? '', 'accept-encoding': 'identity' }
    const answer = await fetch(`${server.url}${request.url}`, { headers })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    if (request.url?.startsWith('/event-stream')) response.write('\n')
    else response.end(await answer.text())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  addCleanup(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

async function toggle(server: TestServer, status: 'active' | 'inactive'): Promise<void> {
  const params = { project: 'shop', feature: 'plain' }
  const query = { environment: 'development' }
  expect((await call(server, 'updateFeatureConfiguration', { params, query, body: { status } })).status).toBe(200)
}

describe('burgee dev on a project of a server', () => {
  it('follows the environment, and starts without the server from the saved config', async () => {
    const server = await openShop()
    server.clock.now = Date.now
    const variables = await signedIn(server)
    const first = await startDev(remoteArgs, variables)
    expect(await first.values()).toEqual({ plain: true })
    await toggle(server, 'inactive')
    // The save of the config has begun, and the end of the process waits for it.
    await first.noticed('reloaded the config of the server')
    first.kill('SIGTERM')
    expect((await first.ended).code).toBe(143)
    await server.close()

    const second = await startDev(remoteArgs, variables)
    await second.noticed('the saved config is used until the server is available')
    expect(await second.values()).toEqual({})
    const offline = await startDev([...remoteArgs, '--offline', '--override', 'plain=true'], {
      ...environment,
      BURGEE_URL: server.url
    })
    expect([await offline.values(), offline.stderr()]).toEqual([{ plain: true }, ''])
  })
})
