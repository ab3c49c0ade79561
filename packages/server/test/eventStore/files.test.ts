import {
  appendFile,
  cp,
  mkdir,
  open as openFile,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile
} from 'node:fs/promises'
import { join } from 'node:path'
import { isFull } from '@burgee/testing/scale'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { DAY, HOUR } from '../../src/lib/time.ts'
import { checkDirectory } from '../../src/storage/check/checkDirectory.ts'
import type { Finding } from '../../src/storage/check/finding.ts'
import type { EventEntry } from '../../src/storage/events/eventEntry.ts'
import { type EventStore, EventsUnavailableError } from '../../src/storage/events/eventStore.ts'
import { openEventStore } from '../../src/storage/open/openEventStore.ts'
import { StoreOpenError, StoreUnavailableError, UncertainWriteError } from '../../src/storage/store.ts'

const NOON = Date.parse('2026-11-21T12:00:00.000Z')
const TODAY = '2026-11-21.jsonl'
const SUMMARY = '2026-11-21.summary.json'

let directory: string
let retention: number
let now: number
let notices: string[]
/** The notices of level `error`. */
let errors: string[]
let infos: string[]
let opened: EventStore[]
/** A monotonic clock. */
let uptime: number

beforeEach(async () => {
  directory = await temporaryDirectory()
  now = NOON
  retention = 31
  notices = []
  errors = []
  infos = []
  opened = []
  uptime = 0
})

afterEach(async () => {
  for (const store of opened) await store.close()
})

async function open(assertOwned?: () => Promise<void>): Promise<EventStore> {
  const store = await openEventStore(directory, {
    assertOwned,
    now: () => now,
    monotonic: () => uptime,
    retention,
    onNotice: (text, level) => {
      notices.push(text)
      if (level === 'error') errors.push(text)
    },
    onInfo: (text) => infos.push(text)
  })
  opened.push(store)
  return store
}

function inEvents(name: string): string {
  return join(directory, 'events', name)
}

/** An entry that counts one evaluation. */
function one(more: Partial<EventEntry> = {}): EventEntry {
  const counts = [{ variation: 'on', feature: 'f1', platform: 'web', sdkType: 'server', count: 1 } as const]
  return { environment: 'production', at: now, reports: [], counts, exposures: [], ...more }
}

async function total(store: EventStore): Promise<number> {
  const everything = { environments: ['production'], periods: [{ start: 0, end: NOON + 1000 * DAY }] }
  const [counts] = await store.evaluations(everything)
  return counts?.get('on') ?? 0
}

/** Appends this many entries and closes. */
async function keep(count: number): Promise<void> {
  const store = await open()
  for (let index = 0; index < count; index++) await store.append(one({ payloadId: `n${index}` }))
  await store.close()
}

describe('a day file', () => {
  it('has a line with the contents of each entry', async () => {
    const store = await open()
    await store.append(one({ payloadId: 'one', keyType: 'client' }))
    expect(await readFile(inEvents(TODAY), 'utf8')).toBe(
      `{"environment":"production","at":${NOON},"payloadId":"one","keyType":"client","counts":[{"variation":"on","feature":"f1","platform":"web","sdkType":"server","count":1}]}\n`
    )
  })

  it('loses at most its last line wherever it is truncated, and reports it', async () => {
    await keep(6)
    const whole = await readFile(inEvents(TODAY))
    const ends = [...whole.keys()].filter((at) => whole[at] === 0x0a).map((at) => at + 1)
    const cuts = fc.integer({ min: 0, max: whole.length })
    await fc.assert(
      fc.asyncProperty(cuts, fc.boolean(), async (cut, hasSummary) => {
        notices = []
        await writeFile(inEvents(TODAY), whole.subarray(0, cut))
        if (!hasSummary) await rm(inEvents(SUMMARY), { force: true })
        const store = await open()
        const left = ends.filter((end) => end <= cut).length
        expect(await total(store)).toBe(left)
        const isTorn = cut > 0 && !ends.includes(cut)
        expect(notices.filter((text) => text.includes('incomplete last line'))).toHaveLength(isTorn ? 1 : 0)
        // The truncated entry can be sent again; the others are recognized.
        for (let index = 0; index < 6; index++) await store.append(one({ payloadId: `n${index}` }))
        expect(await total(store)).toBe(6)
        await store.close()
      }),
      { numRuns: 30 }
    )
  })

  it('with damaged lines is read without them, and reports them', async () => {
    await keep(3)
    const lines = (await readFile(inEvents(TODAY), 'utf8')).split('\n')
    lines.splice(1, 0, '{"environment":"prod', 'null', '{"environment":"production","at":1,"counts":[]}', '\0\0\0')
    await writeFile(inEvents(TODAY), lines.join('\n'))
    await rm(inEvents(SUMMARY))
    const store = await open()
    expect(notices).toEqual([expect.stringContaining(`${TODAY} has 4 damaged lines, the first at byte`)])
    await store.append(one())
    expect(await total(store)).toBe(4)
    const query = { environments: ['production'], range: { start: 0, end: NOON + DAY }, feature: 'f1', event: 'x' }
    let found = 0
    for await (const _ of store.eventRecords(query)) found++
    expect(found).toBe(4)
  })
})

describe('a summary', () => {
  test.each<[string, () => Promise<unknown>, number]>([
    ['is missing', () => rm(inEvents(SUMMARY)), 0],
    ['is empty', () => truncate(inEvents(SUMMARY), 0), 1],
    ['is torn', () => truncate(inEvents(SUMMARY), 150), 1],
    ['was changed', () => edit(SUMMARY, (text) => text.replace('"server",5]', '"server",6]')), 1],
    ['covers less than there is', () => edit(TODAY, (text) => `${text}${text.split('\n')[0]}\n`), 0]
  ])('that %s is rebuilt from the day file', async (_, harm, count) => {
    await keep(5)
    const before = [await readFile(inEvents(SUMMARY), 'utf8'), await readFile(inEvents(TODAY), 'utf8')]
    await harm()
    expect([
      await readFile(inEvents(SUMMARY), 'utf8').catch(() => ''),
      await readFile(inEvents(TODAY), 'utf8')
    ]).not.toEqual(before)
    const lines = (await readFile(inEvents(TODAY), 'utf8')).split('\n').length - 1
    // Today's file, which is opened to append, and on the next day none.
    for (const moment of [NOON, NOON + DAY]) {
      now = moment
      const store = await open()
      expect(await total(store)).toBe(lines)
      await store.close()
    }
    expect(notices).toHaveLength(count)
  })

  it('replaces the counted day file, which is not read again', async () => {
    await keep(5)
    now += 3 * DAY
    const text = await readFile(inEvents(TODAY), 'utf8')
    await writeFile(inEvents(TODAY), text.replaceAll('"count":1', '"count":7'))
    expect(await total(await open())).toBe(5)
  })

  async function edit(name: string, change: (text: string) => string): Promise<void> {
    await writeFile(inEvents(name), change(await readFile(inEvents(name), 'utf8')))
  }
})

it('a day is closed when it is over, and accepts late entries', async () => {
  const store = await open()
  await store.append(one())
  now += DAY
  await store.append(one())
  await expect.poll(() => readdir(join(directory, 'events'))).toContain(SUMMARY)
  await store.append(one({ at: NOON }))
  expect(await total(store)).toBe(3)
  await store.close()
  expect(await total(await open())).toBe(3)
})

it('the rest of a truncated line on a past day is not counted', async () => {
  await keep(3)
  now += 2 * DAY
  await keep(1)
  // All but the line feed is there.
  await truncate(inEvents(TODAY), (await readFile(inEvents(TODAY))).length - 1)
  await rm(inEvents(SUMMARY))
  const store = await open()
  expect(await total(store)).toBe(3)
  await store.append(one({ at: NOON }))
  expect(await total(store)).toBe(4)
  expect(notices).toEqual([expect.stringContaining('incomplete last line')])
})

describe('a start reports entries that are lost', () => {
  beforeEach(async () => {
    await keep(3)
    now += 5 * DAY
    await keep(1)
    now += DAY
  })

  it.each<[string, () => Promise<void>]>([
    ['emptied', () => writeFile(inEvents(TODAY), '')],
    ['shortened by a line', async () => truncate(inEvents(TODAY), (await readFile(inEvents(TODAY))).indexOf('\n') + 1)]
  ])('of a past day whose file was %s', async (_, shorten) => {
    await shorten()
    await (await open()).close()
    const loss = /21\.jsonl has only \d+ of \d+ bytes: acknowledged events are lost; restore the file from a backup/
    expect(notices).toEqual([
      expect.stringMatching(/summary\.json covers more bytes than \S+ has/),
      expect.stringMatching(loss)
    ])
    expect(errors).toEqual([expect.stringMatching(loss)])
    // The summary was rebuilt meanwhile.
    notices.length = 0
    await (await open()).close()
    expect(notices).toEqual([expect.stringMatching(loss)])
    await acknowledge()
  })

  it('of a past day whose files are all missing, but which the summary of the next day names', async () => {
    for (const name of [TODAY, SUMMARY]) await rm(inEvents(name))
    const loss = /21\.jsonl is missing, and its entries have not expired: its events and counts are lost/
    for (let start = 0; start < 2; start++) {
      notices.length = 0
      await (await open()).close()
      expect(notices).toEqual([expect.stringMatching(loss)])
      expect(await check()).toEqual([expect.objectContaining({ problem: expect.stringMatching(/is missing/) })])
    }
    await acknowledge()
  })

  it('of the newest day whose files are all missing, which no summary names', async () => {
    for (const name of ['2026-11-26.jsonl', '2026-11-26.summary.json']) await rm(inEvents(name))
    const loss = /26\.jsonl is missing, and its entries have not expired: its events and counts are lost/
    for (let start = 0; start < 2; start++) {
      notices.length = 0
      await (await open()).close()
      expect(notices).toEqual([expect.stringMatching(loss)])
      expect(await check()).toEqual([expect.objectContaining({ problem: expect.stringMatching(/is missing/) })])
    }
    await acknowledge('2026-11-26')
  })

  it('of the whole folder, and acknowledges it as that of its newest day', async () => {
    await rm(join(directory, 'events'), { recursive: true })
    const missing = /26\.jsonl is missing, and its entries have not expired: .*, and those of all earlier days/
    expect(await check()).toEqual([expect.objectContaining({ problem: expect.stringMatching(/of all earlier days/) })])
    for (let start = 0; start < 2; start++) {
      notices.length = 0
      await (await open()).close()
      expect(notices).toEqual([expect.stringMatching(missing)])
    }
    await acknowledge('2026-11-26')
  })

  it('of the folder of a store whose newest day was not recorded, as after a restore', async () => {
    await rm(join(directory, 'events.newest'))
    await (await open()).close()
    expect(notices).toEqual([])
    await rm(join(directory, 'events'), { recursive: true })
    await (await open()).close()
    expect(notices).toEqual([expect.stringMatching(/26\.jsonl is missing/)])
  })

  it.each([
    ['events.newest', 'yesterday', 'a day such as 2026-11-21'],
    ['events/2026-11-26.length', '12x', 'a number of bytes']
  ])('or that a record cannot be used: %s', async (name, text, expected) => {
    await writeFile(join(directory, name), `${text}\n`)
    const problem = `contains "${text}" instead of ${expected}`
    expect(await check()).toEqual([expect.objectContaining({ file: name, problem })])
    await (await open()).close()
    expect(errors).toEqual([expect.stringContaining(`${join(directory, name)} ${problem}`)])
  })

  it('of a day again after a loss was acknowledged', async () => {
    await truncate(inEvents(TODAY), 0)
    await (await open()).close()
    await acknowledge()
    now -= 6 * DAY
    const store = await open()
    await store.append(one())
    await store.close()
    now += 6 * DAY
    await truncate(inEvents(TODAY), 0)
    notices.length = 0
    await (await open()).close()
    expect(notices.filter((text) => text.includes('has only 0 of'))).toHaveLength(1)
  })

  it('of the current day whose file is missing', async () => {
    now -= DAY
    const [name = ''] = (await readdir(join(directory, 'events'))).filter((file) => file.endsWith('26.jsonl'))
    await rm(inEvents(name))
    await (await open()).close()
    const loss = /26\.jsonl is missing, and its entries have not expired: \d+ bytes of events/
    expect(notices).toEqual([expect.stringMatching(loss)])
    notices.length = 0
    const store = await open()
    await store.append(one())
    await store.close()
    expect(notices).toEqual([expect.stringMatching(loss)])
    await acknowledge('2026-11-26')
  })

  it.each<[string, RegExp, () => Promise<void>]>([
    [
      'was shortened after a crash, before a summary counted it',
      /26\.jsonl has only 0 of \d+ bytes: acknowledged events are lost; restore the file from a backup/,
      () => truncate(inEvents('2026-11-26.jsonl'), 0)
    ],
    ['was deleted after a crash', /26\.jsonl is missing, /, () => rm(inEvents('2026-11-26.jsonl'))]
  ])('of a day whose file %s', async (_, says, damage) => {
    for (const name of ['2026-11-26.jsonl', '2026-11-26.summary.json', '../events.newest']) await rm(inEvents(name))
    now -= DAY
    const crashed = await open()
    await crashed.append(one())
    await cp(join(directory, 'events'), join(directory, 'copy'), { recursive: true })
    await crashed.close()
    await rm(join(directory, 'events'), { recursive: true })
    await cp(join(directory, 'copy'), join(directory, 'events'), { recursive: true })
    await damage()
    for (let start = 0; start < 2; start++) {
      notices.length = 0
      await (await open()).close()
      expect(notices).toEqual([expect.stringMatching(says)])
    }
    await acknowledge('2026-11-26')
  })

  it('of a day that retention deleted, not even if it is longer now', async () => {
    retention = 2
    const store = await open()
    await expect.poll(() => readdir(join(directory, 'events'))).not.toContain(TODAY)
    await store.close()
    retention = 31
    await (await open()).close()
    expect(notices).toEqual([])
    await rm(inEvents('expired'))
    await open()
    expect(notices).toEqual([expect.stringContaining(`${TODAY} is missing`)])
  })

  it('of a past day whose file is missing, until it expires', async () => {
    await rm(inEvents(TODAY))
    const store = await open()
    expect(notices).toEqual([
      expect.stringMatching(/ is missing, and its entries have not expired: \d+ bytes of events/)
    ])
    expect(await total(store)).toBe(4)
    await store.close()
    notices.length = 0
    await writeFile(inEvents('2026-11-21.lost'), '')
    now += 60 * DAY
    await open()
    expect(notices).toEqual([])
  })

  /** Acknowledges the loss of a day, so that neither starts nor checks report it. */
  async function acknowledge(day = '2026-11-21'): Promise<void> {
    expect(await check()).toEqual([expect.objectContaining({ file: `events/${day}.jsonl` })])
    await writeFile(inEvents(`${day}.lost`), '')
    notices.length = 0
    await (await open()).close()
    expect(notices).toEqual([])
    expect(await check()).toEqual([])
  }

  /** Returns the damage of events that a check finds. */
  async function check(): Promise<readonly Finding[]> {
    const findings: Finding[] = []
    for await (const finding of checkDirectory(directory, '2026-10-27')) findings.push(finding)
    return findings.filter(({ file, problem }) => /^events[./]/.test(file) && problem !== undefined)
  }
})

it('expired day files are deleted at the start and daily, with a log line; summaries stay longer', async () => {
  await keep(2)
  await writeFile(inEvents('2026-11-21.lost'), '')
  now += 30 * DAY
  await keep(1)
  now += DAY
  const store = await open()
  await store.append(one())
  expect(await readdir(join(directory, 'events'))).toContain(TODAY)
  now += DAY
  await store.append(one())
  for (const name of [TODAY, '2026-11-21.lost']) {
    await expect.poll(() => readdir(join(directory, 'events'))).not.toContain(name)
  }
  await expect
    .poll(() => infos.filter((text) => !text.includes('for an hour')))
    .toEqual([expect.stringContaining(`${TODAY} was deleted`)])
  expect(await total(store)).toBe(5)
  // A late entry of a deleted day file adds to its counts.
  await store.append(one({ at: NOON }))
  await store.close()
  expect(await total(await open())).toBe(6)
  now = NOON + 400 * DAY
  await keep(1)
  now += DAY
  uptime += HOUR
  const later = await open()
  await later.append(one())
  await expect.poll(() => readdir(join(directory, 'events'))).not.toContain(SUMMARY)
  expect(await total(later)).toBe(5)
})

it.skipIf(process.platform !== 'linux')(
  'entries that cannot be written are rejected, and the store recovers',
  async () => {
    await mkdir(join(directory, 'events'))
    await symlink('/dev/full', inEvents('2026-11-22.jsonl'))
    const store = await open()
    await store.append(one())
    now += DAY
    const lost = store.append(one({ payloadId: 'again' }))
    await expect(lost).rejects.toThrow(StoreUnavailableError)
    await expect(lost).rejects.toThrow(/the events could not be written/)
    expect(await total(store)).toBe(1)
    expect(store.revision(['production'])).toBe(1)
    await store.append(one({ at: NOON }))
    now += DAY
    await store.append(one({ payloadId: 'again' }))
    expect(await total(store)).toBe(3)
  }
)

test.each<[string, string]>([
  ['the folder', 'events'],
  ['the file of the day', `events/${TODAY}/in/the/way`],
  ['a file of events from before', 'events.jsonl/in/the/way']
])('a start that cannot open %s reports it', async (_, path) => {
  if (path === 'events') await writeFile(join(directory, path), '')
  else await mkdir(join(directory, path), { recursive: true })
  const start = open()
  await expect(start).rejects.toThrow(StoreOpenError)
  await expect(start).rejects.toThrow(/events\S* cannot be opened/)
})

it('a store with an empty start date derives it from its files', async () => {
  await (await open()).close()
  now += 2 * HOUR
  await writeFile(inEvents('since'), '')
  expect((await open()).since).toBe(NOON - 12 * HOUR)
})

it('a closed store stays closed', async () => {
  const store = await open()
  await store.close()
  await expect(store.append(one())).rejects.toThrow('the event store is closed')
})

it('no events are deleted for an hour after the clock jumped, and none once it is corrected', async () => {
  await keep(2)
  const store = await open()
  now += 100 * DAY
  await store.append(one())
  await expect.poll(() => infos).toEqual([expect.stringContaining('no events are deleted for an hour')])
  now -= 100 * DAY
  uptime += 2 * HOUR
  await store.append(one())
  await store.close()
  expect(await readdir(join(directory, 'events'))).toContain(TODAY)
  now += 200 * DAY
  infos.length = 0
  const later = await open()
  await expect.poll(() => infos).toHaveLength(1)
  now += DAY
  uptime += HOUR - 1
  await later.append(one())
  expect(await readdir(join(directory, 'events'))).toContain(TODAY)
  now += DAY
  uptime += 1
  await later.append(one())
  await expect.poll(() => readdir(join(directory, 'events'))).not.toContain(TODAY)
})

it('the length of the last entries is recorded, also if many arrived at once', async () => {
  const store = await open()
  for (let count = 0; count < 5; count++) await store.append(one())
  const { length } = await readFile(inEvents(TODAY))
  await expect.poll(() => readFile(inEvents('2026-11-21.length'), 'utf8'), { timeout: 5_000 }).toBe(`${length}\n`)
})

it('past days that a killed server had open get a summary that covers all entries', async () => {
  await keep(3)
  await rm(inEvents(SUMMARY))
  const { length } = await readFile(inEvents(TODAY))
  await writeFile(inEvents('2026-11-21.length'), '1\n')
  now += 5 * DAY
  await open()
  await expect
    .poll(async () => JSON.parse(await readFile(inEvents(SUMMARY), 'utf8').catch(() => '{}')).covered)
    .toBe(length)
})

it('the length of expired entries is removed, also if the server was killed after it had removed the entries', async () => {
  await keep(1)
  const left = inEvents('2026-10-01.length')
  const recent = inEvents('2026-11-20.length')
  for (const path of [left, recent]) await writeFile(path, '0')
  await open()
  await expect.poll(() => readdir(join(directory, 'events'))).not.toContain('2026-10-01.length')
  // The entries are missing, and not expired.
  expect(await readdir(join(directory, 'events'))).toContain('2026-11-20.length')
})

it('a day file that was removed while it was open is created again; its counts stay, and entries are rejected meanwhile', async () => {
  const store = await open()
  for (let index = 0; index < 3; index++) await store.append(one())
  await rm(inEvents(TODAY))
  expect(store.isWritable()).toBe(true)
  const lost = await Promise.allSettled([store.append(one()), store.append(one())])
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(store.isWritable()).toBe(false)
  await store.append(one())
  expect(store.isWritable()).toBe(true)
  expect(await total(store)).toBe(4)
  await store.close()
  expect(await total(await open())).toBe(4)
})

it('the contents of a day file that replaced the open one are counted', async () => {
  await keep(2)
  const text = await readFile(inEvents(TODAY), 'utf8')
  const store = await open()
  await store.append(one())
  await rm(inEvents(TODAY))
  await writeFile(inEvents(TODAY), text)
  await expect(store.append(one())).rejects.toThrow(EventsUnavailableError)
  await store.append(one())
  expect(await total(store)).toBe(3)
})

describe('a summary without its day file', () => {
  beforeEach(async () => {
    await keep(5)
    await rm(inEvents(TODAY))
    now += DAY
  })

  it('is kept when it is damaged, and reported once', async () => {
    const damaged = (await readFile(inEvents(SUMMARY), 'utf8')).replace('"server",5]', '"server",6]')
    await writeFile(inEvents(SUMMARY), damaged)
    for (let starts = 0; starts < 2; starts++) {
      const store = await open()
      expect(await total(store)).toBe(0)
      // A late entry is counted.
      await store.append(one({ at: NOON }))
      expect(await total(store)).toBe(1)
      await store.close()
      await rm(inEvents(TODAY))
      await rm(inEvents(SUMMARY))
    }
    expect(await readFile(inEvents(`${SUMMARY}.damaged`), 'utf8')).toBe(damaged)
    const missing = expect.stringContaining('its entries have not expired')
    expect(notices).toEqual([missing, expect.stringContaining('the counts of this day are lost'), missing])
  })

  it('prevents the start if a newer version wrote it', async () => {
    const newer = (await readFile(inEvents(SUMMARY), 'utf8')).replace('"version":1', '"version":2')
    await writeFile(inEvents(SUMMARY), newer)
    const start = open()
    await expect(start).rejects.toThrow(StoreOpenError)
    await expect(start).rejects.toThrow(
      /summary\.json has version 2, and this version of Burgee supports versions up to 1/
    )
    expect(await readFile(inEvents(SUMMARY), 'utf8')).toBe(newer)
  })
})

it('a summary that counts more than its day file has is kept as damaged', async () => {
  await keep(5)
  const whole = await readFile(inEvents(SUMMARY), 'utf8')
  const [line] = (await readFile(inEvents(TODAY), 'utf8')).split('\n')
  await writeFile(inEvents(TODAY), `${line}\n`)
  expect(await total(await open())).toBe(1)
  expect(await readFile(inEvents(`${SUMMARY}.damaged`), 'utf8')).toBe(whole)
})

it('the start date stays the same while the clock is behind', async () => {
  const { since } = await open()
  await opened[0]?.close()
  now = 5 * DAY
  await (await open()).close()
  now = NOON
  expect((await open()).since).toBe(since)
})

it('a clock that jumps again after it was accepted is distrusted', async () => {
  await keep(1)
  now = NOON + 11 * DAY
  const store = await open()
  await expect.poll(() => infos).toHaveLength(1)
  await store.append(one())
  uptime += 2 * HOUR
  now += DAY
  await store.append(one())
  now += 400 * DAY
  await store.append(one())
  await store.close()
  expect(infos.filter((text) => text.includes('for an hour'))).toHaveLength(2)
  expect(infos.filter((text) => text.includes('deleted:'))).toEqual([])
  expect(await readFile(inEvents(TODAY), 'utf8')).not.toBe('')
})

it('a stored start date in the future is ignored', async () => {
  await (await open()).close()
  await writeFile(inEvents('since'), '2099-01-01T00:00:00.000Z\n')
  expect((await open()).since).toBe(NOON - 12 * HOUR)
})

it('the error about a damaged migration plan says to restore a backup', async () => {
  await (await open()).close()
  await writeFile(inEvents('taking-over.json'), '{"isDone":')
  await expect(open()).rejects.toThrow(/taking-over\.json is damaged.*; restore a backup/)
})

it.runIf(isFull)('a day with too many counts is read with a limit, and reported once', async () => {
  await (await open()).close()
  const hour = (index: number) => {
    const counts = Array.from({ length: 21_000 }, (_, number) => {
      return { variable: `v${number}`, variation: 'on', platform: 'x', sdkType: 'client', count: 1 }
    })
    return `${JSON.stringify({ environment: 'production', at: NOON - 12 * HOUR + index * HOUR, counts })}\n`
  }
  await writeFile(inEvents(TODAY), Array.from({ length: 15 }, (_, index) => hour(index)).join(''))
  const store = await open()
  expect(await total(store)).toBe(15 * 21_000)
  await store.append(one())
  await store.append(one())
  expect(notices).toEqual([expect.stringContaining('the limit of counts is reached')])
  await store.close()
  // 250,000 of them, and those without variable and platform.
  const rows = (await readFile(inEvents(SUMMARY), 'utf8')).match(/"client",\d+\]/g)
  expect(rows?.length).toBeLessThan(250_100)
})

it('each damaged summary of a day is kept until summaries expire', async () => {
  await keep(5)
  for (const text of ['first', 'second']) {
    await writeFile(inEvents(SUMMARY), text)
    const store = await open()
    expect(await total(store)).toBe(5)
    await store.close()
  }
  expect(await readFile(inEvents(`${SUMMARY}.damaged`), 'utf8')).toBe('first')
  expect(await readFile(inEvents(`${SUMMARY}.damaged.2`), 'utf8')).toBe('second')
  now = NOON + 400 * DAY
  await keep(1)
  expect(await readdir(join(directory, 'events'))).toContain(`${SUMMARY}.damaged.2`)
  now += DAY
  const store = await open()
  await store.append(one())
  await expect
    .poll(async () => (await readdir(join(directory, 'events'))).filter((name) => name.startsWith(SUMMARY)))
    .toEqual([])
})

it.runIf(isFull)('the same counts are distinguished after a restart, also on a day at the limit', async () => {
  const at = (hour: number) => NOON - 12 * HOUR + hour * HOUR
  const fill = (hour: number, size: number) => ({
    at: at(hour),
    counts: Array.from({ length: size }, (_, number) => {
      return { variable: `v${number}`, variation: 'on', platform: 'x', sdkType: 'client' as const, count: 1 }
    })
  })
  const countOf = async (store: EventStore, variable: string) => {
    const query = { environments: ['production'], periods: [{ start: at(0), end: at(24) }], variable }
    return (await store.evaluations(query))[0]?.get('on')
  }
  const store = await open()
  for (let hour = 0; hour < 12; hour++) await store.append(one(fill(hour, 20_000)))
  await store.append(one(fill(12, 10_000)))
  // The day is at its limit, so the first hour gets a merged count, which precedes later hours in the summary.
  await store.append(one(fill(0, 20_001)))
  expect(await countOf(store, 'v9999')).toBe(14)
  await store.close()
  expect(await countOf(await open(), 'v9999')).toBe(14)
})

describe('an event store whose lock was taken over', () => {
  it('refuses entries and leaves all files unchanged', async () => {
    let isTaken = false
    const store = await open(async () => {
      if (isTaken) throw new Error('the lock was taken over')
    })
    await store.append(one())
    const before = await readFile(inEvents(TODAY), 'utf8')
    isTaken = true
    const refused = store.append(one())
    await expect(refused).rejects.toThrow(EventsUnavailableError)
    await expect(refused).rejects.toThrow('the lock was taken over')
    expect(store.isWritable()).toBe(false)
    now += DAY
    await expect(store.append(one())).rejects.toThrow('the lock was taken over')
    await store.close()
    expect(await readFile(inEvents(TODAY), 'utf8')).toBe(before)
    expect((await readdir(join(directory, 'events'))).sort()).toEqual([
      '2026-11-21.jsonl',
      '2026-11-21.length',
      'since'
    ])
  })

  it('cannot append to the file of a successor that took it over while it was suspended', async () => {
    const store = await open()
    await store.append(one())
    await store.close()
    const former = await openFile(inEvents(TODAY), 'a')
    try {
      const options = { now: () => now, retention, onNotice: (text: string) => void notices.push(text) }
      const next = await openEventStore(directory, { ...options, mayHaveFormerOwner: true })
      opened.push(next)
      await former.appendFile(await readFile(inEvents(TODAY)))
      await next.append(one())
      expect(await total(next)).toBe(2)
    } finally {
      await former.close()
    }
  })

  it('leaves the recorded length of its successor', async () => {
    let isTaken = false
    const store = await open(async () => {
      if (isTaken) throw new Error('the lock was taken over')
    })
    await store.append(one())
    isTaken = true
    await writeFile(inEvents('2026-11-21.length'), '9\n')
    await store.close()
    expect(await readFile(inEvents('2026-11-21.length'), 'utf8')).toBe('9\n')
  })

  it('does not acknowledge an entry that was in progress', async () => {
    let checks = 0
    let checksBefore = Number.POSITIVE_INFINITY
    const store = await open(async () => {
      if (++checks > checksBefore) throw new Error('the lock was taken over')
    })
    await store.append(one())
    checksBefore = checks + 1
    await expect(store.append(one())).rejects.toThrow(UncertainWriteError)
  })

  it.each([
    ['a line', (line: string) => line],
    ['a line and half of another', (line: string) => line + line.slice(0, 20)]
  ])('that has written %s late is counted by its successor', async (_, late) => {
    const store = await open()
    for (let index = 0; index < 3; index++) await store.append(one())
    const [line] = (await readFile(inEvents(TODAY), 'utf8')).split(/(?<=\n)/)
    await appendFile(inEvents(TODAY), late(line ?? ''))
    await expect(store.append(one())).rejects.toThrow(`${TODAY} was written to by another process`)
    for (let index = 0; index < 3; index++) await store.append(one())
    expect(await total(store)).toBe(7)
    await store.close()
    const again = await open()
    expect(await total(again)).toBe(7)
    await again.append(one())
    expect(await total(again)).toBe(8)
  })
})
