import { access, mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sendBytes } from '@burgee/testing/harness'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { clientUser } from '../support/clientUser.ts'
import { expectBuilt } from '../support/processes/executable.ts'
import { type ServerProcess, sendFresh, signInFresh, startServerProcess } from '../support/processes/serverProcess.ts'
import { readMetric, withOnly, workersOf } from './support/workerProcesses.ts'

// Clients and operators must not notice that a server has several processes.

let server: ServerProcess
let keys: { readonly server: string; readonly client: string }

const soon = { interval: 20, timeout: 20_000 }

beforeAll(async () => {
  expectBuilt()
  server = await startServerProcess(['--store', 'memory:', '--workers', '2'])
  const administer = await signInFresh(server.url)
  expect((await administer('POST', '/v1/projects', { key: 'shop', name: 'Shop' })).status).toBe(201)
  const half = [
    { _variation: 'variation-on', percentage: 0.5 },
    { _variation: 'variation-off', percentage: 0.5 }
  ]
  const everyone = { filters: { operator: 'and', filters: [{ type: 'all' }] } }
  const production = { status: 'active', targets: [{ audience: everyone, distribution: half }] }
  for (const key of ['first', 'second']) {
    const feature = { key, name: key, configurations: { production } }
    expect((await administer('POST', '/v2/projects/shop/features', feature)).status).toBe(201)
  }
  const { body } = await administer('GET', '/v1/projects/shop/environments/production')
  keys = { server: body.sdkKeys.server[0].key, client: body.sdkKeys.client[0].key }
})

const headers = () => ({ authorization: keys.server })

function evaluate() {
  const body = { user_id: 'ada' }
  return sendFresh(`${server.url}/v1/variables/first`, { method: 'POST', body, headers: headers() })
}

const countEvaluations = () =>
  readMetric(server, 'burgee_http_request_duration_seconds_count', 'operation="evaluateVariable"')

describe('the metrics of a killed worker', () => {
  it('remain in the totals, even if no scrape has read them', async () => {
    const before = await countEvaluations()
    const [killed = 0] = await workersOf(server)
    await withOnly(server, killed, () => Promise.all(Array.from({ length: 20 }, evaluate)))
    // A paused worker cannot be asked: the totals have only what it reported before.
    const countWhilePaused = async () => {
      process.kill(killed, 'SIGSTOP')
      const count = await countEvaluations()
      if (count < before + 20) process.kill(killed, 'SIGCONT')
      return count
    }
    await expect.poll(countWhilePaused, soon).toBe(before + 20)
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => workersOf(server), soon).not.toContain(killed)
    expect(await countEvaluations()).toBe(before + 20)
    await expect.poll(() => readMetric(server, 'burgee_workers '), soon).toBe(2)
    await evaluate()
    expect(await countEvaluations()).toBe(before + 21)
  })
})

describe('a request without a Host header', () => {
  const send = (start: string, rest = '') =>
    sendBytes({ port: Number(new URL(server.url).port) }, `${start}\r\nconnection: close\r\n${rest || '\r\n'}`)

  it('is answered with HTTP/1.0, even if it is forwarded', async () => {
    const body = '{"user_id":"ada"}'
    const sent = `authorization: ${keys.server}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
    for (const response of [
      await send('GET /livez HTTP/1.0'),
      await send(`GET /config/v1/server/${keys.server}.json HTTP/1.0`),
      await send('POST /v1/variables HTTP/1.0', `${sent}\r\n\r\n${body}`),
      await send('POST /v1/variables?a=b HTTP/1.0', `${sent}\r\n\r\n${body}`)
    ]) {
      expect(response).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    }
  })

  it('is refused with HTTP/1.1', async () => {
    expect(await send('GET /livez HTTP/1.1')).toMatch(/^HTTP\/1.1 400 /)
  })
})

describe('configs of client SDKs', () => {
  it('come from the worker, and equal those of the main process byte for byte', async () => {
    const { port } = new URL(server.url)
    const query = new URLSearchParams({ ...clientUser('ada'), sdkKey: keys.client }).toString()
    const get = async (path: string, more = '') => {
      const head = `GET ${path}?${query} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${more}\r\n`
      return (await sendBytes({ port: Number(port) }, head)).replace(/^(x-request-id|date): .*\r$/gim, '$1\r')
    }
    // The fast path takes no path with two slashes, so the main process answers it.
    const expected = await get('//v1/sdkConfig')
    expect(expected).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(expected).toContain('"sse":')
    const [, etag] = /^etag: (.+)\r$/im.exec(expected) ?? []
    const unchanged = await get('//v1/sdkConfig', `if-none-match: ${etag}\r\n`)
    expect(unchanged).toMatch(/^HTTP\/1.1 304 /)
    server.child.kill('SIGSTOP')
    try {
      expect(await get('/v1/sdkConfig')).toBe(expected)
      expect(await get('/v1/sdkConfig', `if-none-match: ${etag}\r\n`)).toBe(unchanged)
    } finally {
      server.child.kill('SIGCONT')
    }
  })
})

test('a problem that several workers find is logged once', async () => {
  const evaluateWithoutId = (worker: number, key: string) =>
    withOnly(server, worker, async () => {
      const body = { context: { country: 'CA' } }
      const path = `/ofrep/v1/evaluate/flags/${key}`
      const { body: answer } = await sendFresh(`${server.url}${path}`, { method: 'POST', body, headers: headers() })
      expect(answer.errorCode).toBe('TARGETING_KEY_MISSING')
    })
  const countLogged = (feature: string) => {
    const lines = server.stderr().split('\n')
    return lines.filter((line) => line.includes('MISSING_USER_ID') && line.includes(feature)).length
  }
  const [one = 0, other = 0] = await workersOf(server)
  await evaluateWithoutId(one, 'first')
  await expect.poll(() => countLogged('first'), soon).toBe(1)
  await evaluateWithoutId(other, 'first')
  await evaluateWithoutId(other, 'second')
  // The reports of a worker arrive in order.
  await expect.poll(() => countLogged('second'), soon).toBe(1)
  expect(countLogged('first')).toBe(1)
})

describe('the socket of a server that was killed', () => {
  it('is removed by the next start, and those of running servers stay', async () => {
    const directory = await temporaryDirectory()
    const start = () => startServerProcess(['--store', 'memory:', '--workers', '2'], { TMPDIR: directory })
    const running = await start()
    const [ofRunning = ''] = await readdir(directory)
    const killed = await start()
    killed.child.kill('SIGKILL')
    await killed.ended
    await mkdir(join(directory, 'burgee-notes'))
    await writeFile(join(directory, 'burgee-notes', 'main.sock'), 'not a socket')
    const left = await readdir(directory)
    expect(left).toHaveLength(3)
    // A server that is starting may not listen yet.
    const anHourAgo = new Date(Date.now() - 3_600_000)
    for (const name of left) await utimes(join(directory, name, 'main.sock'), anHourAgo, anHourAgo)
    await start()
    const now = await readdir(directory)
    expect(now.filter((name) => left.includes(name)).sort()).toEqual(['burgee-notes', ofRunning].sort())
    await access(join(directory, ofRunning, 'main.sock'))
    expect((await sendFresh(`${running.url}/readyz`)).status).toBe(200)
  })
})
