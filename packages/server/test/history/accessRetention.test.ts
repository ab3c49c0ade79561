import { addCleanup } from '@burgee/testing/cleanup'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeEach, expect, test } from 'vitest'
import type { AccessLog, StoredAccessEntry } from '../../src/storage/accessLog/accessLog.ts'
import { openAccessLog } from '../../src/storage/open/openAccessLog.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import type { Database } from '../../src/storage/postgres/connection/database.ts'

// The access log of a database, which several servers share.

const DAY = 86_400_000
const RETENTION = 90

let database: Database

beforeEach(async () => {
  const store = await openStore(await temporaryDatabase())
  addCleanup(() => store.close())
  // Only memory and directories are other locations.
  database = store.location as Database
})

function open(aheadMs: number): Promise<AccessLog> {
  return openAccessLog(database, {
    now: () => Date.now() + aheadMs,
    retention: RETENTION,
    assertOwned: async () => {},
    onNotice: (message) => expect.fail(message),
    onInfo: () => {}
  })
}

/** Appends entries of these ages in days, with a server that then closes. */
async function append(...ages: readonly number[]): Promise<void> {
  const log = await open(0)
  const entries = ages.map((age) => ({ date: new Date(Date.now() - age * DAY).toISOString() }) as StoredAccessEntry)
  await log.append(entries)
  await log.close()
}

/** Runs the maintenance of a server that starts and stops. Returns the number of entries that are left. */
async function startAndStop(aheadMs = 0): Promise<number> {
  await (await open(aheadMs)).close()
  const log = await open(0)
  const { count } = await log.list({ sortOrder: 'asc', page: 1, perPage: 100, matches: () => true })
  await log.close()
  return count
}

test('expired entries are deleted', async () => {
  await append(100, 1, 0)
  expect(await startAndStop()).toBe(2)
})

test('a server whose clock is ahead deletes no entries of other servers', async () => {
  await append(2, 1, 0)
  expect(await startAndStop(100 * DAY)).toBe(3)
})

test('nothing is deleted when the clock is more than two days after the newest entry', async () => {
  await append(100, 10)
  expect(await startAndStop()).toBe(2)
})
