import { addCleanup } from '@burgee/testing/cleanup'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeEach, expect, test } from 'vitest'
import type { AccessLog, StoredAccessEntry } from '../../src/storage/accessLog/accessLog.ts'
import { openAccessLog } from '../../src/storage/open/openAccessLog.ts'
import { openStore, type StoreLocation } from '../../src/storage/open/openStore.ts'
import type { Database } from '../../src/storage/postgres/connection/database.ts'

const DAY = 86_400_000
const RETENTION = 90

let database: Database
/** What the access logs report about normal operation. */
let infos: string[]

beforeEach(async () => {
  infos = []
  const store = await openStore(await temporaryDatabase())
  addCleanup(() => store.close())
  // Only memory and directories are other locations.
  database = store.location as Database
})

function open(aheadMs: number, location: StoreLocation = database): Promise<AccessLog> {
  return openAccessLog(location, {
    now: () => Date.now() + aheadMs,
    retention: RETENTION,
    assertOwned: async () => {},
    onNotice: (message) => expect.fail(message),
    onInfo: (message) => infos.push(message)
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
  // Two days are not suspect, so only the clock of the database keeps the oldest entry.
  await append(RETENTION - 1, 1, 0)
  expect(await startAndStop(2 * DAY)).toBe(3)
})

test('nothing is deleted when the clock is more than two days after the newest entry', async () => {
  await append(100, 10)
  expect(await startAndStop()).toBe(2)
  const newest = new Date(Date.now() - 10 * DAY).toISOString().slice(0, 10)
  // Each of the two servers reports it.
  const reported = `no entries of the access log are deleted for an hour, because there are none since ${newest}`
  expect(infos.filter((message) => message === reported)).toHaveLength(2)
})

test('nothing is deleted in a directory either when the clock jumps, which is reported once', async () => {
  const directory = await temporaryDirectory()
  const before = await open(0, directory)
  await before.append([{ date: new Date().toISOString() } as StoredAccessEntry])
  await before.close()
  const after = await open(100 * DAY, directory)
  addCleanup(() => after.close())
  await expect
    .poll(() => infos)
    .toEqual([expect.stringMatching(/^no entries of the access log are deleted for an hour/)])
  const { count } = await after.list({ sortOrder: 'asc', page: 1, perPage: 100, matches: () => true })
  expect(count).toBe(1)
})
