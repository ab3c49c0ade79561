import { connect } from 'node:net'
import { call, serve, tokenOf } from '@burgee/testing/harness'
import { keyOf } from '@burgee/testing/plan'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { openEventStream, waitUntil } from '../support/events/eventStream.ts'
import { expectBuilt } from '../support/processes/executable.ts'
import { fetchAuthorization, signInFresh, startServerProcess } from '../support/processes/serverProcess.ts'

describe('during the notice of a stop', () => {
  beforeAll(expectBuilt)

  test.each(['1', '2'])('streams stay open, and others are accepted, with --workers %s', async (workers) => {
    const settings = ['--workers', workers, '--shutdown-notice-seconds', '60']
    const server = await startServerProcess(['--store', `file:${await temporaryDirectory()}`, ...settings])
    const { at, administer, paths } = await createProject(server.url)
    const open = () => Promise.all(paths.map(({ path, headers }) => openEventStream(at, path, headers)))
    const before = await open()
    server.child.kill('SIGTERM')
    await waitUntil(async () => (await fetch(`${server.url}/readyz`)).status === 503)
    const streams = [...before, ...(await open())]
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await waitUntil(() => streams.every(({ text }) => /^retry: \d+$/m.test(text())))
    const counts = streams.map(({ messages }) => messages().length)
    const feature = { key: 'new-checkout', name: 'New checkout' }
    expect((await administer('POST', '/v2/projects/shop/features', feature)).status).toBe(201)
    await waitUntil(() => streams.every(({ messages }, index) => messages().length > (counts[index] ?? 0)))
    expect(streams.some(({ isOver }) => isOver())).toBe(false)
  })
})

/** Creates a project, and returns the paths of a stream of its config and of that of its changes. */
async function createProject(url: string) {
  const administer = await signInFresh(url)
  expect((await administer('POST', '/v1/projects', { key: 'shop', name: 'Shop' })).status).toBe(201)
  const { body } = await administer('GET', '/v1/projects/shop/environments/production')
  return {
    at: { port: Number(new URL(url).port) },
    administer,
    paths: [
      { path: `/event-stream?sdkKey=${body.sdkKeys.server[0].key}`, headers: {} },
      { path: '/v1/projects/shop/changes', headers: { authorization: await fetchAuthorization(url) } }
    ]
  }
}

describe('when the notice of a stop is over', () => {
  it('ends streams; those that are opened later end at once, with a reconnection delay', async () => {
    const server = await serve({ features: [{ key: 'plain' }] })
    const authorization = `Bearer ${await tokenOf(server)}`
    const streams = [
      await openEventStream(server),
      await openEventStream(server, '/v1/projects/shop/changes', { authorization })
    ]
    const opened = await Promise.all([
      openConnection(server.port, `GET /event-stream?sdkKey=${keyOf('server')} HTTP/1.1`),
      openConnection(server.port, `GET /v1/projects/shop/changes HTTP/1.1\r\nauthorization: ${authorization}`)
    ])
    // Accepted, since connections are accepted in their order.
    expect((await call(server, 'getFeature', { params: { project: 'shop', feature: 'plain' } })).status).toBe(200)
    const closed = server.close()
    await waitUntil(() => streams.every(({ isOver }) => isOver()))
    for (const { text } of streams) expect(text()).toMatch(/^retry: \d+$/m)
    for (const answer of await Promise.all(opened.map((ask) => ask()))) {
      expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/)
      expect(answer).toMatch(/^retry: \d+$/m)
    }
    await closed
  })
})

/** Opens a connection. Returns the function that sends a request on it, and resolves with all that is received. */
async function openConnection(port: number, head: string): Promise<() => Promise<string>> {
  const socket = connect(port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  return () =>
    new Promise((resolve, reject) => {
      let text = ''
      socket.on('data', (bytes) => {
        text += bytes
      })
      socket.on('error', reject).on('end', () => resolve(text))
      socket.write(`${head}\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
    })
}
