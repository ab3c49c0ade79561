import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { openEventStream } from '../support/events/eventStream.ts'
import { expectBuilt, run } from '../support/processes/executable.ts'
import {
  type FreshResponse,
  type ServerProcess,
  sendFresh,
  signInFresh,
  startServerProcess
} from '../support/processes/serverProcess.ts'
import { readMetric, withOnly, workersOf } from './support/workerProcesses.ts'

// Every request of these tests has a connection of its own, which any worker can get.

let server: ServerProcess
let administer: Awaited<ReturnType<typeof signInFresh>>
let key: string
/** The directory of the store. */
let directory: string

const soon = { interval: 20 }

async function startWith(workers: string, ...args: string[]): Promise<ServerProcess> {
  return startServerProcess(['--store', `file:${await temporaryDirectory()}`, '--workers', workers, ...args])
}

beforeAll(async () => {
  expectBuilt()
  directory = await temporaryDirectory()
  server = await startServerProcess(['--store', `file:${directory}`, '--workers', '2'])
  administer = await signInFresh(server.url)
  expect((await administer('POST', '/v1/projects', { key: 'shop', name: 'Shop' })).status).toBe(201)
  const everyone = {
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: [{ _variation: 'variation-on', percentage: 1 }]
  }
  const feature = {
    key: 'new-checkout',
    name: 'New checkout',
    configurations: { production: { status: 'active', targets: [everyone] } }
  }
  expect((await administer('POST', '/v2/projects/shop/features', feature)).status).toBe(201)
  key = (await environment()).sdkKeys.server[0].key
})

async function environment() {
  return (await administer('GET', '/v1/projects/shop/environments/production')).body
}

function evaluate(user_id = 'ada', sdkKey = key): Promise<FreshResponse> {
  const headers = { authorization: sdkKey }
  return sendFresh(`${server.url}/v1/variables/new-checkout`, { method: 'POST', body: { user_id }, headers })
}

/** Evaluates on several connections at once. */
async function evaluateAll(count: number, sdkKey = key): Promise<readonly FreshResponse[]> {
  return Promise.all(Array.from({ length: count }, () => evaluate('ada', sdkKey)))
}

async function setStatus(status: 'active' | 'inactive'): Promise<void> {
  const path = '/v1/projects/shop/features/new-checkout/configurations?environment=production'
  expect((await administer('PATCH', path, { status })).status).toBe(200)
}

/** Sends the head of an evaluation. Returns the function that sends its body, and resolves with the status. */
async function beginEvaluation(): Promise<() => Promise<number | undefined>> {
  const body = '{"user_id":"ada"}'
  const headers = { authorization: key, 'content-type': 'application/json', 'content-length': body.length }
  const begun = request(`${server.url}/v1/variables/new-checkout`, { method: 'POST', headers, agent: false })
  const answered = once(begun, 'response')
  begun.flushHeaders()
  const [socket] = await once(begun, 'socket')
  if (socket.connecting) await once(socket, 'connect')
  return async () => {
    begun.end(body)
    const [response] = await answered
    return response.resume().statusCode
  }
}

const countEvaluations = () =>
  readMetric(server, 'burgee_http_request_duration_seconds_count', 'operation="evaluateVariable"')

test('every worker answers evaluations, with the same bodies', async () => {
  const workers = await workersOf(server)
  expect(workers).toHaveLength(2)
  const context = { context: { targetingKey: 'ada' } }
  const requests = [
    ['/v1/variables', { user_id: 'ada' }],
    ['/v1/features', { user_id: 'ada' }],
    ['/v1/variables/new-checkout', { user_id: 'ada' }],
    ['/v1/variables/unknown', { user_id: 'ada' }],
    ['/v1/variables', { user_id: 7 }],
    ['/ofrep/v1/evaluate/flags/new-checkout', context],
    ['/ofrep/v1/evaluate/flags', context]
  ] as const
  const bodiesOf = (worker: number) =>
    withOnly(server, worker, () =>
      Promise.all(
        requests.map(([path, body]) =>
          sendFresh(`${server.url}${path}`, { method: 'POST', body, headers: { authorization: key } })
        )
      )
    )
  const [one, other] = [await bodiesOf(workers[0] ?? 0), await bodiesOf(workers[1] ?? 0)]
  expect(one).toEqual(other)
  expect(one.map(({ status }) => status)).toEqual([200, 200, 200, 404, 400, 200, 200])
  expect(one[2]?.body.value).toBe(true)
})

describe('a write', () => {
  test('is visible to the next evaluation, whichever worker gets it', async () => {
    for (let round = 0; round < 15; round++) {
      await setStatus('inactive')
      expect((await evaluateAll(6)).map(({ status }) => status)).toEqual(Array(6).fill(404))
      await setStatus('active')
      expect((await evaluateAll(6)).map(({ status }) => status)).toEqual(Array(6).fill(200))
    }
  })

  test('is announced on the streams of all workers', async () => {
    const { port } = new URL(server.url)
    const at = { port: Number(port) }
    const streams = await Promise.all(
      Array.from({ length: 8 }, () => openEventStream(at, `/event-stream?sdkKey=${key}`))
    )
    await setStatus('inactive')
    await setStatus('active')
    for (const stream of streams) {
      expect(stream.status).toBe(200)
      await expect.poll(() => stream.messages().length, soon).toBeGreaterThan(0)
      stream.hangUp()
    }
    await expect.poll(() => readMetric(server, 'burgee_streams '), soon).toBe(0)
  })

  test('that invalidates an SDK key takes effect at all workers', async () => {
    const path = '/v1/projects/shop/environments/production/sdk-keys'
    const generated = await administer('POST', path, { server: true })
    const extra: string = generated.body.sdkKeys.server.at(-1).key
    expect((await evaluateAll(4, extra)).map(({ status }) => status)).toEqual(Array(4).fill(200))
    expect((await administer('DELETE', `${path}/${extra}`)).status).toBe(200)
    expect((await evaluateAll(8, extra)).map(({ status }) => status)).toEqual(Array(8).fill(401))
  })
})

test('evaluations of all workers are in the results at once, and events are stored', async () => {
  const before = await countResults()
  expect((await evaluateAll(20)).every(({ status }) => status === 200)).toBe(true)
  expect(await countResults()).toBe(before + 20)
  const tracked = await sendFresh(`${server.url}/v1/track`, {
    method: 'POST',
    headers: { authorization: key },
    body: { user: { user_id: 'ada' }, events: [{ type: 'customEvent', customType: 'paid' }] }
  })
  expect(tracked.status).toBe(201)
})

describe('events', () => {
  const sendBatch = (headers: Record<string, string>, user_id = 'ada', type = 'aggVariableEvaluated') => {
    const evaluated = { type, target: 'new-checkout', value: 10, metaData: { _variation: on } }
    const body = { batch: [{ user: { user_id }, events: [evaluated, { type: '' }] }] }
    return sendFresh(`${server.url}/v1/events/batch`, { method: 'POST', headers, body })
  }
  let on: string
  beforeAll(async () => {
    const { body } = await administer('GET', '/v2/projects/shop/features/new-checkout')
    on = body.variations.find(({ key }: { key: string }) => key === 'variation-on')._id
  })

  test('of all workers and types of keys are counted, a repeated payload once', async () => {
    const { sdkKeys } = await environment()
    const [results, accepted, refused] = [await countResults(), await countEvents(), await countEvents('_refused')]
    const keys = [key, key, key, sdkKeys.client[0].key, sdkKeys.mobile[0].key]
    const payloads = keys.flatMap((authorization, index) =>
      Array.from({ length: 4 }, (_, copy) => ({ authorization, 'idempotency-key': `payload ${index} ${copy % 2}` }))
    )
    const responses = await Promise.all(payloads.map((headers) => sendBatch(headers)))
    expect(responses.map(({ status, body }) => [status, body.accepted, body.refused])).toEqual(
      payloads.map(() => [201, 1, 1])
    )
    expect(await countResults()).toBe(results + (10 * payloads.length) / 2)
    expect(await countEvents()).toBe(accepted + payloads.length)
    expect(await countEvents('_refused')).toBe(refused + payloads.length)
  })

  test('are stored without the keys that they contain', async () => {
    const user = `bob ${randomUUID()}`
    const sent = await Promise.all(
      Array.from({ length: 6 }, () => sendBatch({ authorization: key }, `${user} ${key}`, 'variableEvaluated'))
    )
    expect(sent.map(({ status, body }) => [status, body.accepted])).toEqual(Array(6).fill([201, 1]))
    const events = join(directory, 'events')
    const days = (await readdir(events)).filter((name) => name.endsWith('.jsonl'))
    const lines = (await Promise.all(days.map((day) => readFile(join(events, day), 'utf8')))).join('')
    expect(lines.split(`${user} ****${key.slice(-4)}`)).toHaveLength(7)
    expect(lines).not.toContain(key)
  })

  const countEvents = (suffix = '') => readMetric(server, `burgee_events${suffix}_total `)
})

async function countResults(): Promise<number> {
  const path = '/v1/projects/shop/features/new-checkout/results/total-evaluations?environment=production&period=hour'
  const { status, body } = await administer('GET', path)
  expect([status, body.message]).toEqual([200, undefined])
  const counts = [...JSON.stringify(body).matchAll(/"variation-on":(\d+)/g)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

describe('the address of a client', () => {
  test('is the peer address of its connection, and headers do not change it', async () => {
    const path = '/v1/projects/shop/environments/production/sdk-keys'
    const keyFrom = async (network: string): Promise<string> => {
      const { body } = await administer('POST', path, { server: true, allowedNetworks: [network] })
      return body.sdkKeys.server.at(-1).key
    }
    const [near, far] = [await keyFrom('127.0.0.0/8'), await keyFrom('192.0.2.0/24')]
    const forged = { 'x-burgee-peer': '192.0.2.7', 'x-forwarded-for': '192.0.2.7', connection: 'x-burgee-peer' }
    const download = async (sdkKey: string) =>
      (await sendFresh(`${server.url}/config/v1/server/${sdkKey}.json`, { headers: forged })).status
    const value = async (authorization: string) => {
      const headers = { ...forged, authorization }
      const body = { user_id: 'ada' }
      return (await sendFresh(`${server.url}/v1/variables/new-checkout`, { method: 'POST', body, headers })).status
    }
    expect([await download(near), await value(near)]).toEqual([200, 200])
    expect([await download(far), await value(far)]).toEqual([403, 403])
  })
})

describe('a worker that is killed', () => {
  it('is replaced; only requests in flight at it fail, and counts do not decrease', async () => {
    const before = await countEvaluations()
    const [killed = 0] = await workersOf(server)
    let isOver = false
    let answered = 0
    const failures: string[] = []
    const load = Array.from({ length: 6 }, async () => {
      while (!isOver) {
        const answer = await evaluate().catch((error: Error) => failures.push(error.message) && undefined)
        if (!answer) continue
        expect(answer.status).toBe(200)
        answered++
      }
    })
    await expect.poll(() => answered, soon).toBeGreaterThan(100)
    process.kill(killed, 'SIGKILL')
    const atKill = answered
    await expect.poll(() => answered - atKill, soon).toBeGreaterThan(200)
    await expect.poll(async () => (await workersOf(server)).length, soon).toBe(2)
    isOver = true
    await Promise.all(load)
    expect(await workersOf(server)).not.toContain(killed)
    // Each of the six has one request in flight.
    expect(failures.length).toBeLessThanOrEqual(6)
    expect(server.stderr()).toContain('a worker has ended; another one is started')
    await expect.poll(() => readMetric(server, 'burgee_workers '), soon).toBe(2)
    expect(await readMetric(server, 'burgee_workers_configured ')).toBe(2)
    // The counts of the killed worker in its last second can be lost.
    const after = await countEvaluations()
    expect(after).toBeGreaterThanOrEqual(before)
    await evaluateAll(10)
    expect(await countEvaluations()).toBe(after + 10)
  })
})

it('a worker that does not apply a change is ended, and until then the response to the change waits', async () => {
  const [stopped = 0] = await workersOf(server)
  process.kill(stopped, 'SIGSTOP')
  // Takes as long as a worker may take.
  await setStatus('inactive')
  expect((await evaluateAll(6)).map(({ status }) => status)).toEqual(Array(6).fill(404))
  expect(await workersOf(server)).not.toContain(stopped)
  await setStatus('active')
})

describe('a stop', () => {
  it('lets workers finish their requests, and ends them', async () => {
    const workers = await workersOf(server)
    const begun = await Promise.all(Array.from({ length: 6 }, beginEvaluation))
    server.child.kill('SIGTERM')
    // It is unready for a second, and then listens no more.
    const isStopping = () =>
      sendFresh(`${server.url}/readyz`).then(
        ({ status }) => status === 503,
        () => true
      )
    await expect.poll(isStopping, soon).toBe(true)
    expect(await Promise.all(begun.map((finish) => finish()))).toEqual(Array(6).fill(200))
    expect(await server.ended).toBe(0)
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

test('a stop ends a worker that does not respond, while the others still answer', async () => {
  const paused = await startWith('2', '--shutdown-notice-seconds', '60')
  const [pid = 0] = await workersOf(paused)
  process.kill(pid, 'SIGSTOP')
  paused.child.kill('SIGTERM')
  // As long as a worker may take.
  await expect.poll(() => workersOf(paused), { timeout: 20_000 }).not.toContain(pid)
  expect((await sendFresh(`${paused.url}/readyz`)).status).toBe(503)
  paused.child.kill('SIGKILL')
})

describe('a start', () => {
  it('fails with one line when the port is taken', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { port: number }
    const store = ['--store', 'memory:', '--workers', '2']
    const { code, stderr } = await run([...store, '--port', String(port)])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^burgee-server: [^\n]+\n$/)
    expect(stderr).toContain(`cannot listen on 127.0.0.1:${port}`)
    await new Promise((resolve) => taken.close(resolve))
  })

  it('has no workers with --workers 1', async () => {
    const single = await startWith('1')
    expect(await workersOf(single)).toEqual([])
    single.child.kill('SIGKILL')
  })
})
