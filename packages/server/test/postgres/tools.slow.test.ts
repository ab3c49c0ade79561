import { addCleanup } from '@burgee/testing/cleanup'
import { call, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeAll, expect, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'
import { type ToolClient, toolClient } from '../support/toolClient.ts'

let url: string
let one: TestServer
let clients: readonly [ToolClient, ToolClient]

/** Starts a server with tools on the database. */
async function node(): Promise<TestServer> {
  const server = await serve(url, { mcp: true, publicUrl: 'https://flags.example.com', storePollMs: 200 }, Date.now())
  server.clock.now = Date.now
  return server
}

beforeAll(async () => {
  url = await temporaryDatabase()
  one = await node()
  const other = await node()
  expect((await call(one, 'createProject', { body: { key: 'shop', name: 'Shop' } })).status).toBe(201)
  const body = { key: 'checkout', name: 'Checkout', type: 'release' }
  expect((await call(one, 'createFeature', { params: { project: 'shop' }, body })).status).toBe(201)
  const token = await tokenOf(one)
  clients = [await toolClient(one, token), await toolClient(other, token)]
})

async function countChanges(): Promise<number> {
  return (await call(one, 'listAuditEntries', { query: { perPage: 100 } })).body.length
}

test('a confirmation of one server is accepted by another, once', async () => {
  const before = await countChanges()
  for (let round = 0; round < ROUNDS; round++) {
    const asked = { key: 'checkout', description: `Round ${round}`, projectKey: 'shop' }
    const held = await clients[0].call('update_feature', asked)
    const { confirmationToken } = held.structuredContent.result
    const confirmed = { ...asked, confirmationToken }
    const replies = await Promise.all(clients.map((client) => client.call('update_feature', confirmed)))
    const outcomes = replies.map(({ isError, content }) => (isError ? content[0]?.text : 'applied'))
    expect(outcomes).toContain('applied')
    // A call that begins when the other one has ended has nothing left to change, and needs no confirmation.
    for (const outcome of outcomes) expect(outcome).toMatch(/^applied$|was used before, or/)
  }
  expect(await countChanges()).toBe(before + ROUNDS)
})

test('an id is claimed by one of several servers', async () => {
  const open = async () => {
    const store = await openStore(url)
    addCleanup(() => store.close())
    // Other servers wait with their start until then.
    await store.follow()
    return store
  }
  const stores = [await open(), await open()]
  const claims = await Promise.all([0, 1, 0, 1].map((index) => stores[index]?.claim?.('an id', 60_000)))
  expect(claims.filter(Boolean)).toHaveLength(1)
})

const ROUNDS = 5
