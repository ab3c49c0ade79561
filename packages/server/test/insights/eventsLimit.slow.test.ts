import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type ApiResponse, call, type RawRequest, send, serve, type TestServer } from '@burgee/testing/harness'
import { keyOf } from '@burgee/testing/plan'
import { describe, expect, it, test } from 'vitest'
import { parseOptions } from '../../src/cli/options.ts'
import { eventsOf } from '../support/events/storedEvents.ts'

const MIB = 1024 * 1024
const report = { user: { user_id: 'ada' }, events: [{ type: 'view' }] }

/** Events of a given size, which compress to a few hundred bytes. */
function large(bytes: number): Buffer {
  const text = JSON.stringify(report)
  return gzipSync(text + ' '.repeat(bytes - text.length))
}

function post(server: TestServer, key: string, body: Buffer, given: Partial<RawRequest> = {}): Promise<ApiResponse> {
  const headers = { authorization: key, 'content-type': 'application/json', 'content-encoding': 'gzip' }
  return send(server, { method: 'POST', path: '/v1/events', body, ...given, headers: { ...headers, ...given.headers } })
}

async function statuses(server: TestServer, key: string, given: Partial<RawRequest> = {}): Promise<number[]> {
  const answers: number[] = []
  for (let sent = 0; sent < 9; sent++) answers.push((await post(server, key, large(MIB), given)).status)
  return answers
}

describe('the limit of an address with public keys', () => {
  test.each(['client', 'mobile'] as const)('applies to %s keys', async (type) => {
    const server = await serve({}, { eventsRateLimit: 8 })
    expect(await statuses(server, keyOf(type))).toEqual([...Array(8).fill(201), 429])
    const refused = await call(server, 'sendEventBatches', { key: keyOf('client'), body: { batch: [report] } })
    expect(refused.status).toBe(429)
    expect(refused.body.message).toMatch(
      /^too many bytes of events from this network \(limit: 8388608 per minute\); retry in \d+ s$/
    )
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await eventsOf(server)).toHaveLength(8)
    expect(await statuses(server, keyOf('server'))).toEqual(Array(9).fill(201))
    expect((await post(server, keyOf(type), large(MIB), { localAddress: '127.0.0.2' })).status).toBe(201)
  })

  it('counts bodies that are too large to be read', async () => {
    const server = await serve({}, { eventsRateLimit: 9 })
    expect((await post(server, keyOf('client'), large(12 * MIB))).status).toBe(201)
    expect((await post(server, keyOf('client'), large(MIB))).status).toBe(429)
  })

  it('distinguishes clients behind trusted proxies', async () => {
    const server = await serve({}, { eventsRateLimit: 8, trustedProxies: 1 })
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
    expect(await statuses(server, keyOf('client'), from('192.0.2.1'))).toContain(429)
    expect((await post(server, keyOf('client'), large(MIB), from('192.0.2.2'))).status).toBe(201)
  })

  test.each([
    ['2001:db8:1:2::9', '2001:DB8:1:2:ffff::1', '2001:db8:1:3::9'],
    ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:192.0.2.2'],
    ['fe80::1%eth0', 'fe80::2%eth1', 'fe80:0:0:1::1']
  ])('treats %s and %s as the same client, and %s as another', async (one, same, other) => {
    const server = await serve({}, { eventsRateLimit: 8, trustedProxies: 1 })
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
    expect((await post(server, keyOf('client'), large(8 * MIB), from(one))).status).toBe(201)
    expect((await post(server, keyOf('client'), large(MIB), from(same))).status).toBe(429)
    expect((await post(server, keyOf('client'), large(MIB), from(other))).status).toBe(201)
  })

  it('can be disabled', async () => {
    const server = await serve({}, { eventsRateLimit: 0 })
    expect(await statuses(server, keyOf('client'))).toEqual(Array(9).fill(201))
  })

  it('is independent of evaluations', async () => {
    const server = await serve({}, { eventsRateLimit: 8, ofrepRateLimit: 1 })
    const body = { context: { targetingKey: 'ada' } }
    expect(await statuses(server, keyOf('client'))).toContain(429)
    const evaluate = () => call(server, 'ofrepEvaluateFlags', { key: keyOf('client'), body })
    expect([(await evaluate()).status, (await evaluate()).status]).toEqual([200, 429])
    const others = await Promise.all([1, 2].map(() => post(server, keyOf('server'), large(100))))
    expect(others.map(({ status }) => status)).toEqual([201, 201])
  })

  test.each(['7', '-1', '8.5', 'many', ''])('cannot be %j', (text) => {
    expect(() => parseOptions([`--events-rate-limit=${text}`], {})).toThrow('a whole number from 8')
  })

  test.each([
    ['0', 0],
    ['8', 8],
    ['1000', 1000]
  ])('can be %s', (text, mib) => {
    expect(parseOptions([], { BURGEE_EVENTS_RATE_LIMIT: text }).eventsRateLimit).toBe(mib)
  })
})

test('events whose key is invalidated while they arrive are refused', async () => {
  const server = await serve({})
  const key = keyOf('client')
  const environment = { project: 'shop', environment: 'production' }
  // The last key of a type cannot be invalidated.
  await call(server, 'generateSdkKeys', { params: environment, body: { client: true } })
  const body = JSON.stringify(report)
  const status = await new Promise((resolve, reject) => {
    const sending = request(`${server.url}/v1/events`, {
      method: 'POST',
      headers: {
        authorization: key,
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue'
      }
    })
    sending.on('error', reject)
    sending.on('response', (response) => resolve(response.resume().statusCode))
    // The server logs the start of the request.
    sending.on('continue', async () => {
      sending.write(body.slice(0, 10))
      // An answered request started after the other one.
      await send(server, { path: '/livez' })
      expect((await call(server, 'invalidateSdkKey', { params: { ...environment, key } })).status).toBe(200)
      sending.end(body.slice(10))
    })
    sending.flushHeaders()
  })
  expect(status).toBe(401)
  expect(await eventsOf(server)).toEqual([])
})
