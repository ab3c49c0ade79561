import { type ApiResponse, call, send, serve, type TestServer } from '@burgee/testing/harness'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { freePort } from '@burgee/testing/system/freePort'
import { beforeAll, describe, expect, test } from 'vitest'
import { waitUntil } from '../../support/events/eventStream.ts'
import { createCounter } from '../support/counterFlag.ts'
import { openSilentProxy, type SilentProxy } from '../support/silentProxy.ts'

// Alerts read the metrics, so an outage of the database is when these are needed most.

let proxy: SilentProxy
let server: TestServer
let metricsPort: number
let key: string

beforeAll(async () => {
  proxy = await openSilentProxy(await temporaryDatabase())
  metricsPort = await freePort()
  server = await serve(proxy.url, { metricsPort }, Date.now())
  server.clock.now = Date.now
  key = (await createCounter(server)).server
})

function scrape(): Promise<ApiResponse> {
  return send({ port: metricsPort }, { path: '/metrics' })
}

/** Returns the lines of metrics with this prefix. */
function samplesOf(metrics: ApiResponse, prefix: string): string[] {
  expect(metrics.status).toBe(200)
  return String(metrics.body)
    .split('\n')
    .filter((line) => line.startsWith(prefix))
}

async function isReady(): Promise<boolean> {
  return (await send(server, { path: '/readyz' })).status === 200
}

const DATABASE_METRICS = /^(burgee_(outbox|deliveries_pending|expiring|config_version|evaluations_total))/

const outages: { readonly what: string; readonly begin: () => void }[] = [
  { what: 'refuses connections', begin: () => proxy.refuse() },
  { what: 'hangs', begin: () => proxy.silence() }
]

describe.each(outages)('while the database $what', ({ begin }) => {
  test('metrics are served, report that the store is not writable, and keep their last values', async () => {
    await call(server, 'evaluateVariable', { params: { key: 'counter' }, body: { user_id: 'ada' }, key })
    await waitUntil(async () => samplesOf(await scrape(), 'burgee_evaluations_total').length > 0)
    const before = String((await scrape()).body)
    begin()
    // Also while the server still waits for the database.
    const first = await scrape()
    expect(first.status).toBe(200)
    await waitUntil(async () => samplesOf(await scrape(), 'burgee_store_writable').includes('burgee_store_writable 0'))
    expect(await isReady()).toBe(false)
    const metrics = await scrape()
    const keptOf = (text: string) => text.split('\n').filter((line) => DATABASE_METRICS.test(line))
    expect(keptOf(String(metrics.body))).toEqual(keptOf(before))
    expect(samplesOf(metrics, 'burgee_expiring_credentials').length).toBeGreaterThan(0)
    proxy.heal()
    await waitUntil(isReady)
    expect(samplesOf(await scrape(), 'burgee_store_writable')).toEqual(['burgee_store_writable 1'])
  }, 60_000)
})
