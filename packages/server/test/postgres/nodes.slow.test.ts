import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'
import { startWebhookReceiver } from '../support/processes/webhookReceiver.ts'

let url: string
let one: TestServer
let other: TestServer
let key: string

const project = 'shop'

const allowedPrivateTargets = parseAllowedDestinations('127.0.0.1') ?? []

/** Starts a server on the database. */
async function node(): Promise<TestServer> {
  const server = await serve(url, { storePollMs: 200, allowedPrivateTargets }, Date.now())
  server.clock.now = Date.now
  return server
}

async function evaluate(at: TestServer): Promise<unknown> {
  const input = { params: { key: 'new-checkout' }, body: { user_id: 'ada' }, key }
  const { status, body } = await call(at, 'evaluateVariable', input)
  return status === 200 ? body.value : status
}

function setStatus(at: TestServer, status: 'active' | 'inactive'): Promise<ApiResponse> {
  const params = { project, feature: 'new-checkout' }
  return call(at, 'updateFeatureConfiguration', { params, query: { environment: 'production' }, body: { status } })
}

beforeAll(async () => {
  url = await temporaryDatabase()
  one = await node()
  other = await node()
  expect((await call(one, 'createProject', { body: { key: project, name: 'Shop' } })).status).toBe(201)
  const everyone = {
    name: 'Everyone',
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: [{ _variation: 'variation-on', percentage: 1 }]
  }
  const body = {
    key: 'new-checkout',
    name: 'New checkout',
    type: 'release',
    configurations: { production: { status: 'active', targets: [everyone] } }
  }
  expect((await call(one, 'createFeature', { params: { project }, body })).status).toBe(201)
  const { body: environment } = await call(one, 'getEnvironment', { params: { project, key: 'production' } })
  key = environment.sdkKeys.server[0].key
})

const soon = { interval: 10 }

describe('a change at one server', () => {
  test('reaches the other one, in both directions', async () => {
    await expect.poll(() => evaluate(other), soon).toBe(true)
    for (const [at, elsewhere] of [
      [one, other],
      [other, one]
    ] as const) {
      expect((await setStatus(at, 'inactive')).status).toBe(200)
      expect(await evaluate(at)).toBe(404)
      await expect.poll(() => evaluate(elsewhere), soon).toBe(404)
      expect((await setStatus(at, 'active')).status).toBe(200)
      expect(await evaluate(at)).toBe(true)
      await expect.poll(() => evaluate(elsewhere), soon).toBe(true)
    }
  })

  test('has the same version of the config at both', async () => {
    for (const status of ['inactive', 'active'] as const) {
      await Promise.all([setStatus(one, status), setStatus(other, status)])
      const etagOf = async (at: TestServer) =>
        (await call(at, 'getServerConfig', { params: { key }, key: null })).headers.etag
      await expect.poll(async () => (await etagOf(one)) === (await etagOf(other)), soon).toBe(true)
    }
  })

  test('reaches the other one after the connections to the database have ended', async () => {
    const name = new URL(url).pathname.slice(1)
    await runOnServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    expect((await setStatus(one, 'inactive')).status).toBe(200)
    await expect.poll(() => evaluate(other), soon).toBe(404)
    expect((await setStatus(one, 'active')).status).toBe(200)
    await expect.poll(() => evaluate(other), soon).toBe(true)
  })

  test('invalidates an SDK key at the other one', async () => {
    const params = { project, environment: 'staging' }
    const created = await call(one, 'generateSdkKeys', { params, body: { server: true } })
    expect(created.status).toBe(201)
    const { body } = await call(one, 'getEnvironment', { params: { project, key: 'staging' } })
    const sdkKey = body.sdkKeys.server.at(-1).key
    const statusAt = async (at: TestServer) =>
      (await call(at, 'evaluateVariables', { body: { user_id: 'ada' }, key: sdkKey })).status
    await expect.poll(() => statusAt(other), soon).toBe(200)
    expect((await call(one, 'invalidateSdkKey', { params: { ...params, key: sdkKey } })).status).toBe(200)
    await expect.poll(() => statusAt(other), soon).toBe(401)
  })
})

test('a change at any server is delivered once, and can be delivered again from any', async () => {
  const receiver = await startWebhookReceiver()
  const webhook = { name: 'All', url: receiver.url, events: ['modifiedFeature'] }
  const { body: created } = await call(other, 'createWebhook', { params: { project }, body: webhook })
  const params = { project, id: created._id }
  const list = () => call(other, 'listWebhookDeliveries', { params })
  for (const [at, description] of [
    [one, 'first'],
    [other, 'second']
  ] as const) {
    const params = { project, feature: 'new-checkout' }
    expect((await call(at, 'updateFeature', { params, body: { description } })).status).toBe(200)
  }
  await receiver.until(2)
  await expect
    .poll(async () => (await list()).body.every(({ status }: { status: string }) => status === 'delivered'), soon)
    .toBe(true)
  expect(receiver.received).toHaveLength(2)
  for (const [index, at] of [one, other].entries()) {
    const delivery = (await list()).body[0]._id
    const again = await call(at, 'redeliverWebhook', { params: { ...params, delivery } })
    expect(again.status).toBeLessThan(300)
    await receiver.until(3 + index)
    await expect
      .poll(async () => (await list()).body.every(({ status }: { status: string }) => status === 'delivered'), soon)
      .toBe(true)
  }
  expect(receiver.received).toHaveLength(4)
})

test('a server that starts later has all changes, and one that stops leaves its work to the other', async () => {
  const third = await node()
  expect(await evaluate(third)).toBe(true)
  const leases = async () => (await runOnServer('select name from burgee_leases', url)).length
  expect(await leases()).toBe(2)
  await third.close()
  expect(await evaluate(one)).toBe(true)
})

test('servers that start together on an empty database share an organization and keys', async () => {
  const shared = url
  url = await temporaryDatabase()
  try {
    const servers = await Promise.all([node(), node()])
    expect(await runOnServer('select id from burgee_organizations', url)).toHaveLength(1)
    expect(await runOnServer('select id from burgee_signing_keys', url)).toHaveLength(1)
    await Promise.all(servers.map(({ close }) => close()))
  } finally {
    url = shared
  }
})

describe('without notifications', () => {
  const polling = async () => {
    const server = await serve(url, { storePollMs: 300, storeNotifications: 'off' }, Date.now())
    server.clock.now = Date.now
    return server
  }

  test('a change and the invalidation of an SDK key reach other servers', async () => {
    const [here, there] = [await polling(), await polling()]
    const listening = `select count(*)::int as count from pg_stat_activity where query like 'listen%' and datname = $1`
    const listeners = async () => (await runOnServer(listening, url, [new URL(url).pathname.slice(1)]))[0]
    // Servers that lost their connections listen again, and those that were closed end theirs.
    await expect.poll(listeners).toEqual({ count: 2 })
    for (const status of ['inactive', 'active'] as const) {
      expect((await setStatus(here, status)).status).toBe(200)
      await expect.poll(() => evaluate(there), soon).toBe(status === 'active' ? true : 404)
    }
    const params = { project, environment: 'production' }
    expect((await call(here, 'generateSdkKeys', { params, body: { server: true } })).status).toBe(201)
    expect((await call(here, 'invalidateSdkKey', { params: { ...params, key } })).status).toBe(200)
    expect(await evaluate(here)).toBe(401)
    await expect.poll(() => evaluate(there), soon).toBe(401)
  })
})
