import { copyFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mountSmallDisk, NEEDS_MOUNT } from '@burgee/testing/system/smallDisk'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { DAY } from '../../src/lib/time.ts'
import type { EventRecord } from '../../src/storage/events/eventStore.ts'
import { openEventStore } from '../../src/storage/open/openEventStore.ts'

const NOON = Date.parse('2026-11-21T12:00:00.000Z')

const user = { user_id: 'ada', platform: 'web', sdkType: 'client' }
const server = { user_id: 'host', platform: 'NodeJS', sdkType: 'server' }
const served = { metaData: { _feature: 'f1', _variation: 'on' }, target: 'v1' }

/** Lines of both legacy formats, over several days. */
const lines: readonly object[] = [
  { type: 'bought', value: 5, user, environment: 'production', receivedAt: '2026-11-18T23:59:59.999Z' },
  { type: 'variableDefaulted', target: 'v1', user, environment: 'production', receivedAt: '2026-11-19T00:00:00.000Z' },
  {
    environment: 'production',
    idempotencyKey: 'k1',
    receivedAt: '2026-11-19T10:00:00.000Z',
    reports: [
      {
        user: server,
        events: [
          { type: 'aggVariableEvaluated', value: 7, ...served },
          { type: 'aggVariableDefaulted', value: 2, target: 'anything' }
        ]
      },
      {
        user,
        events: [
          { type: 'variableEvaluated', target: 'v1', value: 3, featureVars: { f1: 'on' } },
          { type: 'customEvent', customType: 'bought', featureVars: { f1: 'on' } }
        ]
      }
    ]
  },
  {
    environment: 'staging',
    receivedAt: '2026-11-21T11:59:00.000Z',
    idempotencyKey: 'k2',
    reports: [{ user: server, events: [{ type: 'aggVariableEvaluated', value: 11, ...served }] }]
  }
]

const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')

let directory: string
let notices: string[]
let infos: string[]

beforeEach(async () => {
  directory = await temporaryDirectory()
  notices = []
  infos = []
})

function open(now = NOON) {
  return openEventStore(directory, {
    now: () => now,
    retention: 90,
    onNotice: (notice) => notices.push(notice),
    onInfo: (info) => infos.push(info)
  })
}

/** All results of a store. */
async function seen(): Promise<object> {
  const store = await open()
  const range = { start: NOON - 10 * DAY, end: NOON + DAY }
  const environments = ['production', 'staging']
  const occurrences: EventRecord[] = []
  for await (const one of store.eventRecords({ environments, range, feature: 'f1', event: 'bought' })) {
    occurrences.push(one)
  }
  const [counts] = await store.evaluations({ environments, periods: [range] })
  const answer = {
    since: new Date(store.since).toISOString(),
    counts: Object.fromEntries(counts ?? []),
    users: await store.users({ environments, periods: [range] }),
    occurrences: occurrences.map(({ type, at }) => `${type} ${new Date(at).toISOString()}`)
  }
  await store.close()
  return answer
}

const expected = {
  since: '2026-11-18T23:59:59.999Z',
  counts: { on: 21, '': 3 },
  users: [1],
  occurrences: [
    'event 2026-11-18T23:59:59.999Z',
    'exposure 2026-11-19T10:00:00.000Z',
    'evaluations 2026-11-19T10:00:00.000Z',
    'evaluations 2026-11-19T10:00:00.000Z',
    'event 2026-11-19T10:00:00.000Z',
    'evaluations 2026-11-21T11:59:00.000Z'
  ]
}

test('legacy events are migrated once, with their evaluations', async () => {
  await writeFile(join(directory, 'events.jsonl'), text)
  expect(await seen()).toEqual(expected)
  expect(await readdir(directory)).toEqual(['events', 'events.newest'])
  expect(infos).toEqual([expect.stringContaining('migrated 4 lines')])
  expect(await seen()).toEqual(expected)
  expect(infos).toHaveLength(1)
  expect(notices).toEqual([])
})

test('a legacy event of the last hour is recognized when it is sent again', async () => {
  await writeFile(join(directory, 'events.jsonl'), text)
  const store = await open()
  const entry = {
    environment: 'staging',
    at: NOON,
    payloadId: 'k2',
    keyType: 'server' as const,
    reports: [],
    exposures: []
  }
  await store.append({ ...entry, counts: [{ platform: 'web', sdkType: 'client', variation: 'on', count: 1 }] })
  await store.close()
  expect(await seen()).toEqual(expected)
})

test('damaged entries are skipped and reported, and so is a truncated last line', async () => {
  await writeFile(join(directory, 'events.jsonl'), `{"half":\nnull\n[]\n${text}{"environment":"production","rec`)
  expect(await seen()).toEqual(expected)
  expect(notices).toEqual([expect.stringContaining('skipped 4 damaged lines')])
})

const disk = await mountSmallDisk(8 * 2 ** 20)

test.skipIf(disk === undefined)(
  `a full disk is reported, and the migration follows later (${NEEDS_MOUNT})`,
  async () => {
    directory = join(disk ?? '', 'store')
    await mkdir(directory)
    const path = join(directory, 'events.jsonl')
    const other = { ...lines[0], type: 'viewed', customData: 'x'.repeat(1_000) }
    const legacy = text + `${JSON.stringify(other)}\n`.repeat(2_500)
    await writeFile(path, legacy)
    // Space for a part of the copy.
    const filler = join(disk ?? '', 'filler')
    await writeFile(filler, Buffer.alloc(4 * 2 ** 20))
    const problem =
      /events\.jsonl cannot be migrated to \S+: ENOSPC.* The file is unchanged; free \d+ bytes on this disk/
    for (let start = 0; start < 2; start++) {
      await expect(open()).rejects.toThrow(problem)
      expect(await readFile(path, 'utf8')).toBe(legacy)
      expect(await readdir(join(directory, 'events'))).toEqual(['taking-over.json'])
    }
    await rm(filler)
    expect(await seen()).toEqual(expected)
    expect(await readdir(directory)).toEqual(['events', 'events.newest'])
  }
)

test('a crash at any moment of the migration loses and duplicates nothing', async () => {
  await writeFile(join(directory, 'events.jsonl'), text)
  const old = join(await temporaryDirectory(), 'events.jsonl')
  await copyFile(join(directory, 'events.jsonl'), old)
  await seen()
  const events = join(directory, 'events')
  const days = (await readdir(events)).filter((name) => name.endsWith('.jsonl')).sort()
  const whole = new Map(
    await Promise.all(days.map(async (name) => [name, await readFile(join(events, name))] as const))
  )
  const moments = fc.record({
    // The written part of each day file, and its former contents.
    cuts: fc.tuple(...days.map(() => fc.double({ min: 0, max: 1, noNaN: true }))),
    isDone: fc.boolean(),
    isRemoved: fc.boolean()
  })
  await fc.assert(
    fc.asyncProperty(moments, async ({ cuts, isDone, isRemoved }) => {
      directory = await temporaryDirectory()
      await (await open(NOON - 3 * DAY)).close()
      await truncate(join(directory, 'events', '2026-11-18.jsonl'), 0)
      for (const [index, [name, bytes]] of [...whole].entries()) {
        const cut = isDone ? bytes.length : Math.round((cuts[index] ?? 0) * bytes.length)
        await writeFile(join(directory, 'events', name), bytes.subarray(0, cut))
      }
      const plan = { isDone, sizes: { '2026-11-18.jsonl': 0 }, oldest: Date.parse(expected.since) }
      await writeFile(join(directory, 'events', 'taking-over.json'), JSON.stringify(plan))
      if (!(isDone && isRemoved)) await copyFile(old, join(directory, 'events.jsonl'))
      const { since, ...rest } = expected
      expect(await seen()).toMatchObject(rest)
      expect(await readdir(directory)).toEqual(['events', 'events.newest'])
      expect(await readdir(join(directory, 'events'))).not.toContain('taking-over.json')
    }),
    { numRuns: 25 }
  )
})

test('entries that an earlier version writes in between are merged', async () => {
  await writeFile(join(directory, 'events.jsonl'), text)
  await seen()
  const line = { environment: 'staging', receivedAt: '2026-11-19T12:00:00.000Z' }
  const event = { type: 'aggVariableEvaluated', value: 4, ...served }
  await writeFile(
    join(directory, 'events.jsonl'),
    `${JSON.stringify({ ...line, reports: [{ user: server, events: [event] }] })}\n`
  )
  expect(await seen()).toMatchObject({ counts: { on: 25, '': 3 }, since: expected.since })
})
