import { type ApiResponse, call, send, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeEach, expect, test } from 'vitest'
import { waitUntil } from '../../support/events/eventStream.ts'
import { createCounter } from '../support/counterFlag.ts'
import { openSilentProxy, type SilentProxy } from '../support/silentProxy.ts'

let proxy: SilentProxy
let server: TestServer
let key: string
let authorization: string

beforeEach(async () => {
  proxy = await openSilentProxy(await temporaryDatabase())
  server = await serve(proxy.url, {}, Date.now())
  server.clock.now = Date.now
  key = (await createCounter(server)).server
  authorization = await tokenOf(server)
})

/** Sends requests that fail for different reasons. */
async function fail(): Promise<readonly ApiResponse[]> {
  const headers = { authorization, 'content-type': 'application/json' }
  const requests = Array.from({ length: 10 }, () => [
    call(server, 'track', { body: { user: { user_id: 'ada' }, events: [{ type: 'purchase' }] }, key }),
    send(server, { path: '/v2/projects/shop/features', headers }),
    send(server, { method: 'PATCH', path: '/v2/projects/shop/features/counter', headers, body: '{"name":"Lost"}' })
  ])
  return Promise.all(requests.flat())
}

test.each([
  { what: 'refuses connections', begin: () => proxy.refuse() },
  { what: 'hangs', begin: () => proxy.silence() },
  { what: 'hangs during a commit', begin: () => proxy.silenceAfter('commit\0') }
])(
  'the log of a server whose database $what has a line for each failed request, and the error once',
  async (given) => {
    given.begin()
    const failed = (await fail()).concat(await fail()).filter(({ status }) => status === 503)
    const errors = server.logs.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
    const [requests, others] = [
      errors.filter(({ msg }) => msg === 'request'),
      errors.filter(({ msg }) => msg !== 'request')
    ]
    expect(requests).toHaveLength(failed.length)
    for (const { err, reason, requestId } of requests) {
      expect(err).toBe(undefined)
      expect([typeof requestId, reason]).toEqual(['string', expect.any(String)])
    }
    expect(others).toHaveLength(1)
    const [{ err, msg }] = others
    expect(msg).toBe('the store is not available')
    expect(err.stack).toContain('\n')
    // The message does not repeat that of its cause.
    const parts = err.message.split(': ')
    expect(new Set(parts).size).toBe(parts.length)
    const warnings = server.logs.map((line) => JSON.parse(line)).filter(({ level }) => level === 40)
    // Each check of the deliveries, every two seconds, would otherwise add a line.
    expect(warnings.filter(({ msg }) => msg.includes('deliveries'))).toEqual([])
    proxy.heal()
    await waitUntil(async () => (await send(server, { path: '/readyz' })).status === 200)
  },
  60_000
)
