import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NOW } from '@burgee/testing/plan'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { expect, test } from 'vitest'
import { formatEntryLine } from '../../src/storage/events/files/entryLine.ts'
import { openEventStore } from '../../src/storage/open/openEventStore.ts'

const ENVIRONMENT = 'e'.repeat(24)
const USER = 'ann@example.com'

test('erasure in a daily file of several megabytes changes only the lines of the user, and keeps their length', async () => {
  const directory = await temporaryDirectory()
  await mkdir(join(directory, 'events'))
  const path = join(directory, 'events', '2026-03-01.jsonl')
  const users = Array.from({ length: 12_000 }, (_, at) => (at % 997 === 0 ? USER : `user-${at}`))
  await writeFile(path, users.map((user_id, at) => `${lineOf(user_id, at)}\n`).join(''))
  const before = (await readFile(path, 'utf8')).split('\n')
  const events = await openEventStore(directory, { now: () => NOW, retention: 31, onNotice: () => {} })
  const erasing = events.eraseUser({ environments: [ENVIRONMENT], user_id: USER })
  const added = { at: NOW, environment: ENVIRONMENT, counts: [], exposures: [], reports: [] }
  await Promise.all([erasing, ...Array.from({ length: 10 }, () => events.append(added))])
  await events.close()
  const after = (await readFile(path, 'utf8')).split('\n')
  expect(await erasing).toBe(13)
  expect(after).toHaveLength(before.length + 10)
  const changed = before.flatMap((line, at) => (line === after[at] || line === '' ? [] : [[line, after[at] ?? '']]))
  expect(changed).toHaveLength(13)
  for (const [old = '', replaced = ''] of changed) {
    expect([old.includes(USER), replaced.includes(USER), replaced.length]).toEqual([true, false, old.length])
  }
})

function lineOf(user_id: string, at: number): string {
  const user = { user_id, platform: 'NodeJS', sdkType: 'server', sdkVersion: '1.0.0' } as const
  const featureVars = { ['f'.repeat(24)]: 'v'.repeat(24) }
  const date = NOW - 20_000 + at
  const event = { type: 'customEvent', customType: 'purchase', date, clientDate: date, value: 1, featureVars }
  return formatEntryLine({
    at: date,
    environment: ENVIRONMENT,
    counts: [],
    exposures: [],
    reports: [{ user, events: [event] }]
  })
}
