import { runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeAll, expect, test } from 'vitest'
import { openSilentProxy } from '../postgres/support/silentProxy.ts'
import { expectBuilt } from '../support/processes/executable.ts'
import { sendFresh, signInFresh, startServerProcess } from '../support/processes/serverProcess.ts'

beforeAll(expectBuilt)

test('workers evaluate with a PostgreSQL store, and a write is visible to the next evaluation', async () => {
  const { url, child, ended } = await startServerProcess(['--workers', '2'], {
    BURGEE_STORE: await temporaryDatabase()
  })
  const administer = await signInFresh(url)
  expect((await administer('POST', '/v1/projects', { key: 'shop', name: 'Shop' })).status).toBe(201)
  const { body } = await administer('GET', '/v1/projects/shop/environments/production')
  const headers = { authorization: body.sdkKeys.server[0].key }
  for (const key of ['one', 'two', 'three']) {
    const feature = {
      key,
      name: key,
      configurations: {
        production: {
          status: 'active',
          targets: [
            {
              audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
              distribution: [{ _variation: 'variation-on', percentage: 1 }]
            }
          ]
        }
      }
    }
    expect((await administer('POST', '/v2/projects/shop/features', feature)).status).toBe(201)
    const evaluations = Array.from({ length: 6 }, () =>
      sendFresh(`${url}/v1/variables/${key}`, { method: 'POST', body: { user_id: 'ada' }, headers })
    )
    expect((await Promise.all(evaluations)).map(({ status }) => status)).toEqual(Array(6).fill(200))
  }
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test('events whose commit is not answered are stored once, and the response says that they may have been', async () => {
  const database = await temporaryDatabase()
  const proxy = await openSilentProxy(database)
  const { url } = await startServerProcess(['--workers', '2'], { BURGEE_STORE: proxy.url })
  const administer = await signInFresh(url)
  expect((await administer('POST', '/v1/projects', { key: 'shop', name: 'Shop' })).status).toBe(201)
  const { body: environment } = await administer('GET', '/v1/projects/shop/environments/production')
  const track = (user_id: string) => {
    const body = { batch: [{ user: { user_id }, events: [{ type: 'purchase' }] }] }
    const headers = { authorization: environment.sdkKeys.server[0].key }
    return sendFresh(`${url}/v1/events/batch`, { method: 'POST', body, headers })
  }
  expect((await track('grace')).status).toBe(201)
  proxy.loseAnswerTo('insert into burgee_event_entries', 'commit\0')
  const { status, body } = await track('ada')
  expect([status, body.message]).toEqual([503, expect.stringContaining('may have been stored')])
  expect((await track('grace')).status).toBe(201)
  const stored = "select entry from burgee_event_entries where entry like '%ada%'"
  expect(await runOnServer(stored, database)).toHaveLength(1)
}, 60_000)

test('evaluations of a worker are stored once if the response to their commit is lost', async () => {
  const database = await temporaryDatabase()
  const proxy = await openSilentProxy(database)
  const { url, child, ended } = await startServerProcess(['--workers', '2'], { BURGEE_STORE: proxy.url })
  const administer = await signInFresh(url)
  expect((await administer('POST', '/v1/projects', { key: 'shop', name: 'Shop' })).status).toBe(201)
  const { body: environment } = await administer('GET', '/v1/projects/shop/environments/production')
  const evaluate = async () => {
    const headers = { authorization: environment.sdkKeys.server[0].key }
    const request = { method: 'POST', body: { user_id: 'ada' }, headers }
    expect((await sendFresh(`${url}/v1/variables/none`, request)).status).toBe(404)
  }
  const count = async () => {
    const [row] = await runOnServer('select coalesce(sum(count), 0)::int as count from burgee_event_counts', database)
    return row
  }
  await evaluate()
  await expect.poll(count).toEqual({ count: 1 })
  proxy.loseAnswerTo('insert into burgee_event_entries', 'commit\0')
  for (let sent = 0; sent < 10; sent++) await evaluate()
  await expect.poll(count).not.toEqual({ count: 1 })
  // The workers append what they have, again if that may be stored.
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(await count()).toEqual({ count: 11 })
}, 60_000)
