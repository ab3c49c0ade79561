import { setImmediate } from 'node:timers/promises'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeEach, expect, test } from 'vitest'
import { Database } from '../../../src/storage/postgres/connection/database.ts'
import { openSilentProxy, type SilentProxy } from '../support/silentProxy.ts'

// The health check, which disconnects a silent database, ends before the connections do.

let proxy: SilentProxy
let database: Database
let notices: string[]

beforeEach(async () => {
  proxy = await openSilentProxy(await temporaryDatabase())
  notices = []
  database = await Database.create(proxy.url, { maxConnections: 3, onNotice: (text) => void notices.push(text) })
})

test('closes although the database does not answer, and says once what was cut off', async () => {
  const client = await database.begin()
  await database.read('select 0')
  proxy.silence()
  const read = database.read('select 1 as one').catch((error) => error)
  const change = client.query('insert into burgee_leases values (1)').catch((error) => error)
  change.then(() => database.release(client, { isIntact: false }))
  // The statements have been sent.
  await setImmediate()
  await database.close()
  expect((await read).message).toBe(`the database ${database.name} is not available: it does not answer`)
  expect((await change).message).toBe('it does not answer')
  expect(notices).toEqual([
    `the database ${database.name} did not end what was in progress within 5 seconds of the stop, so it was cut off, and may have been stored: a transaction; select 1 as one`
  ])
}, 60_000)

test('closes although the database does not answer the end of a connection that is returned late', async () => {
  const client = await database.begin()
  proxy.silence()
  const closed = database.close()
  database.release(client, { isIntact: true })
  await closed
  expect(notices).toEqual([])
}, 60_000)

test('waits for statements in progress', async () => {
  const slow = database.read<{ done: number }>('select 1 as done from pg_sleep(1)')
  await database.read('select 1')
  await database.close()
  expect(await slow).toEqual([{ done: 1 }])
  expect(notices).toEqual([])
})
