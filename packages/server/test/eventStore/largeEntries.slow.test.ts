import { addCleanup } from '@burgee/testing/cleanup'
import { NOW } from '@burgee/testing/plan'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { expect, it } from 'vitest'
import type { EventEntry } from '../../src/storage/events/eventEntry.ts'
import { openEventStore } from '../../src/storage/open/openEventStore.ts'
import { Database } from '../../src/storage/postgres/connection/database.ts'

const ENVIRONMENT = 'e'.repeat(24)

/** Opens an event store in a database of its own. */
async function openInDatabase() {
  const database = await Database.create(await temporaryDatabase(), { maxConnections: 5, onNotice: () => {} })
  addCleanup(() => database.close())
  return openEventStore(database, { now: () => NOW, retention: 31, onNotice: () => {} })
}

function entryOf(customTypes: readonly string[], metaData: Readonly<Record<string, string>>): EventEntry {
  const events = customTypes.map((customType) => ({ type: 'customEvent', customType, date: NOW, metaData }))
  return {
    environment: ENVIRONMENT,
    at: NOW,
    reports: [{ user: { user_id: 'ann' }, events }],
    counts: [],
    exposures: []
  }
}

/** Returns the longest processor time of a turn of the event loop while work is done, in milliseconds. */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  let longest = 0
  while (!isDone) {
    const before = process.cpuUsage()
    await new Promise((resolve) => setImmediate(resolve))
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
  }
  await done
  return longest
}

it('a database gets an entry of 16 MB without a long turn of the event loop', async () => {
  const store = await openInDatabase()
  const names = Array.from({ length: 10_000 }, (_, index) => `purchase ${index}`)
  const metaData = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`"member" \\ ${index}`, 'a "text"']))
  const entry = entryOf(names, metaData)
  const formatting = await longestTurn(Promise.resolve().then(() => JSON.stringify(entry)))
  const turns: number[] = []
  // Garbage may be collected in any turn.
  for (let round = 0; round < 3; round++) turns.push(await longestTurn(store.append(entry)))
  expect(Math.min(...turns)).toBeLessThan(formatting * 4)
  await store.close()
})

it('a database keeps more entries of one commit than a statement takes', async () => {
  const store = await openInDatabase()
  await Promise.all(Array.from({ length: 2_500 }, (_, index) => store.append(entryOf([`${index}`], {}))))
  expect(await store.eraseUser({ environments: [ENVIRONMENT], user_id: 'ann' })).toBe(2_500)
  await store.close()
})
