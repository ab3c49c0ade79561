import { type ApiResponse, call, send, serve, type TestServer } from '@burgee/testing/harness'
import { runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../../support/events/eventStream.ts'
import { createCounter } from '../support/counterFlag.ts'

// On a full disk, a change fails that needs a further page; others still succeed.

let url: string
let server: TestServer
let key: string

beforeAll(async () => {
  url = await temporaryDatabase()
  server = await node()
  key = (await createCounter(server)).server
  await runOnServer(
    `create sequence attempts;
    create function refuse() returns event_trigger language plpgsql as $$ begin
      perform nextval('attempts'); raise exception 'could not extend file' using errcode = '53100'; end $$;
    create function refuse_row() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file' using errcode = '53100'; end $$`,
    url
  )
})

async function node(): Promise<TestServer> {
  const started = await serve(url, {}, Date.now())
  started.clock.now = Date.now
  return started
}

async function fillDisk(): Promise<void> {
  await runOnServer(
    "create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS') execute function refuse()",
    url
  )
  for (const table of ['burgee_features', 'burgee_event_entries']) {
    await runOnServer(
      `create trigger full_disk before insert or update on ${table} for each row execute function refuse_row()`,
      url
    )
  }
}

async function freeDisk(): Promise<void> {
  for (const table of ['burgee_features', 'burgee_event_entries'])
    await runOnServer(`drop trigger full_disk on ${table}`, url)
  await runOnServer('drop event trigger full_disk', url)
}

function rename(at: TestServer): Promise<ApiResponse> {
  return call(at, 'updateFeature', {
    params: { project: 'shop', feature: 'counter' },
    body: { name: `${Math.random()}` }
  })
}

function track(at: TestServer): Promise<ApiResponse> {
  return call(at, 'track', { body: { user: { user_id: 'ada' }, events: [{ type: 'purchase' }] }, key })
}

async function readiness(at: TestServer): Promise<number> {
  return (await send(at, { path: '/readyz' })).status
}

/** Counts the changes by which servers found out whether the disk is still full. */
async function countAttempts(): Promise<number> {
  const [row] = await runOnServer('select last_value::int as count from attempts', url)
  return (row as { count: number }).count
}

test.each([
  { what: 'changes', write: rename },
  { what: 'events', write: track }
])(
  'a server whose disk refuses $what is not ready until a change succeeds that needs space',
  async ({ write }) => {
    await fillDisk()
    expect((await write(server)).status).toBe(503)
    const before = await countAttempts()
    await waitUntil(async () => (await countAttempts()) > before + 2)
    expect(await readiness(server)).toBe(503)
    await freeDisk()
    await waitUntil(async () => (await readiness(server)) === 200)
    expect([200, 201]).toContain((await write(server)).status)
  },
  60_000
)

test('a server that starts on a full disk is not ready', async () => {
  await fillDisk()
  const started = await node()
  expect(await readiness(started)).toBe(503)
  await freeDisk()
  await waitUntil(async () => (await readiness(started)) === 200)
  expect((await rename(started)).status).toBe(200)
}, 60_000)
