import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MetricDimension } from '@burgee/contract/schemas'
import { DAY } from '@burgee/testing/plan'
import { seededRandom } from '@burgee/testing/seededRandom'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { describe, expect, it } from 'vitest'
import { computeTimeSeries } from '../../../src/insights/results/computeTimeSeries.ts'
import { recordInterimAnalyses } from '../../../src/insights/results/interimAnalyses.ts'
import { metricDimensions } from '../../../src/insights/results/metricDimensions.ts'
import { openResultMaintenance } from '../../../src/insights/results/resultMaintenance.ts'
import type { TimeSeriesQuery } from '../../../src/insights/results/timeSeries.ts'
import { createTimeSeriesCache } from '../../../src/insights/results/timeSeriesCache.ts'
import type { EventEntry } from '../../../src/storage/events/eventEntry.ts'
import type { EventStore } from '../../../src/storage/events/eventStore.ts'
import { digestUser } from '../../../src/storage/events/tables/userTable.ts'
import { openEventStore } from '../../../src/storage/open/openEventStore.ts'
import { START } from '../../support/events/eventRecords.ts'

const HOUR = DAY / 24

function queryOf(dimension: MetricDimension, days: number, changes: Partial<TimeSeriesQuery> = {}): TimeSeriesQuery {
  const range = { start: START, end: START + days * DAY }
  const variations = ['old', 'new']
  return {
    environments: ['production'],
    range,
    feature: 'search',
    event: 'purchase',
    dimension,
    countsFrom: 'startDate',
    variations,
    ...changes
  }
}

/** Opens a store, in memory or in a directory, with a clock. */
async function open(directory?: string, retention = 400) {
  const clock = { now: START }
  const notices: string[] = []
  const options = { now: () => clock.now, retention, onNotice: (text: string) => void notices.push(text) }
  const store = await openEventStore(directory, options)
  return { store, clock, notices }
}

function entry(at: number, parts: Partial<EventEntry>): EventEntry {
  return { environment: 'production', at, keyType: 'server', reports: [], counts: [], exposures: [], ...parts }
}

/** The entries of some days: users get variations, some of them others later, and events with and without variations. */
function randomEntries(seed: number, days: number): readonly EventEntry[] {
  const random = seededRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  return Array.from({ length: days * 30 }, (_, index) => {
    const at = START + Math.floor((index * DAY) / 30) + 1
    const user_id = `user ${Math.floor(random() * 40)}`
    const variation = pick(['old', 'new', 'removed'])
    const kind = random()
    if (kind < 0.3) {
      const exposure = { user_id, feature: 'search', variation, sdkType: 'client' as const, platform: 'web', count: 2 }
      const count = {
        variable: 'v',
        feature: 'search',
        variation,
        platform: 'web',
        sdkType: 'client' as const,
        count: 2
      }
      return entry(at, { exposures: [exposure], counts: [count] })
    }
    const featureVars = random() < 0.3 ? { featureVars: { search: pick(['old', 'new', 'removed']) } } : {}
    const event = { type: 'purchase', ...(random() < 0.8 ? { value: Math.round(random() * 100) } : {}), ...featureVars }
    return entry(at, { reports: [{ user: { user_id }, events: [event] }] })
  })
}

async function append(store: EventStore, entries: readonly EventEntry[]): Promise<void> {
  for (const one of entries) await store.append(one)
}

const dimensions = Object.keys(metricDimensions) as MetricDimension[]

describe('a result that is computed day by day', () => {
  const DAYS = 6

  it.each(dimensions)('is the same as one that is computed at once, in %s', async (dimension) => {
    for (const [seed, countsFrom] of [
      [1, 'startDate'] as const,
      [2, 'firstExposure'] as const,
      [3, 'startDate'] as const
    ]) {
      const entries = randomEntries(seed, DAYS)
      const byDay = await open()
      for (let day = 0; day < DAYS; day++) {
        byDay.clock.now = START + (day + 1) * DAY
        await append(
          byDay.store,
          entries.filter(({ at }) => Math.floor((at - START) / DAY) === day)
        )
        await computeTimeSeries(byDay.store, queryOf(dimension, DAYS, { countsFrom }), byDay.clock.now + 2 * HOUR)
      }
      const atOnce = await open()
      await append(atOnce.store, entries)
      const now = START + DAYS * DAY + 2 * HOUR
      for (const days of [DAYS, 2]) {
        const query = queryOf(dimension, days, { countsFrom })
        const expected = await computeTimeSeries(atOnce.store, query, now)
        expect(await computeTimeSeries(byDay.store, query, now)).toEqual(expected)
        expect(JSON.stringify(expected)).toMatch(/[1-9]/)
      }
    }
  })
})

/** Counts the records that a computation reads. */
function counted(store: EventStore) {
  const counter = { records: 0 }
  const source = {
    ...store,
    async *eventRecords(query: Parameters<EventStore['eventRecords']>[0]) {
      for await (const record of store.eventRecords(query)) {
        counter.records++
        yield record
      }
    }
  }
  return { counter, source }
}

describe('a running table', () => {
  const query = queryOf('SUM_PER_UNIQUE_USER', 5)
  const now = START + 5 * DAY + 2 * HOUR

  it('spares reading the days that are over', async () => {
    const { store } = await open()
    await append(store, randomEntries(4, 5))
    const { counter, source } = counted(store)
    const first = await computeTimeSeries(source, query, now)
    expect(counter.records).toBeGreaterThan(100)
    counter.records = 0
    expect(await computeTimeSeries(source, query, now)).toEqual(first)
    expect(counter.records).toBe(0)
  })

  it('is computed again when events of its days arrive late', async () => {
    const { store } = await open()
    await append(store, randomEntries(4, 5))
    const before = await computeTimeSeries(store, query, now)
    const exposure = { user_id: 'late', feature: 'search', variation: 'new', sdkType: 'client' as const }
    await store.append(entry(START + DAY, { exposures: [exposure] }))
    const after = await computeTimeSeries(store, query, now)
    const users = [before, after].map(({ days }) => days[1]?.variations[1]?.users ?? 0)
    expect(users[1]).toBe((users[0] ?? 0) + 1)
  })

  it('continues with a variation that is added', async () => {
    const { store } = await open()
    await append(store, randomEntries(4, 4))
    await computeTimeSeries(store, query, START + 4 * DAY + 2 * HOUR)
    const exposure = { user_id: 'fresh', feature: 'search', variation: 'third', sdkType: 'client' as const }
    await store.append(entry(START + 4 * DAY, { exposures: [exposure] }))
    const { counter, source } = counted(store)
    const { days } = await computeTimeSeries(source, { ...query, variations: ['third', 'old', 'new'] }, now)
    expect(counter.records).toBe(1)
    expect(days.at(-1)?.variations[0]?.users).toBe(1)
    expect(days.at(-1)?.variations[1]?.users).toBeGreaterThan(5)
  })

  it('is computed again when it is damaged', async () => {
    const directory = await temporaryDirectory()
    const { store } = await open(directory)
    await append(store, randomEntries(4, 5))
    const first = await computeTimeSeries(store, query, now)
    const folder = join(directory, 'events', 'tables')
    const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.table'))
    const content = await readFile(join(folder, name))
    for (const damaged of [content.subarray(0, 100), Buffer.alloc(0), Buffer.from(content).fill(7, 300, 310)]) {
      await writeFile(join(folder, name), damaged)
      expect(await computeTimeSeries(store, query, now)).toEqual(first)
      expect(await readFile(join(folder, name))).toEqual(content)
    }
    await store.close()
  })

  it('contains no digest of an erased user, even if its computation began before', async () => {
    const directory = await temporaryDirectory()
    const { store } = await open(directory)
    await append(store, randomEntries(4, 5))
    await computeTimeSeries(store, query, now)
    const digests = async () => {
      const folder = join(directory, 'events', 'tables')
      const files = (await readdir(folder)).filter((file) => file.endsWith('.table'))
      return Promise.all(
        files.map(async (file) =>
          (await readFile(join(folder, file), 'latin1')).includes(digestUser('production', 'user 3'))
        )
      )
    }
    expect(await digests()).toEqual([true])
    const before = await computeTimeSeries(store, query, now)
    const slow = {
      ...store,
      async *eventRecords(asked: Parameters<EventStore['eventRecords']>[0]) {
        yield* store.eventRecords(asked)
        await store.eraseUser({ environments: ['production'], user_id: 'user 3' })
      }
    }
    const other = queryOf('TOTAL_AVERAGE', 5)
    await computeTimeSeries(slow, other, now)
    expect(await digests()).toEqual([false])
    expect(await computeTimeSeries(store, query, now)).toEqual(before)
    await store.close()
  })

  it('does not change the result when it cannot be written, and the result says so', async () => {
    const { store } = await open()
    await append(store, randomEntries(4, 5))
    const expected = await computeTimeSeries(store, queryOf('SUM_PER_UNIQUE_USER', 5), START)
    const write = async () => {
      throw new Error('the disk is full')
    }
    const broken = { ...store, userTables: { ...store.userTables, write } }
    const found = await computeTimeSeries(broken, query, now)
    expect(found).toEqual({ ...expected, unsaved: 'the disk is full' })
  })

  it('is not stored when it is too large, and the result says so', async () => {
    const { store } = await open()
    await append(store, randomEntries(4, 5))
    const write: typeof store.userTables.write = (name, table, erasures) => {
      const column = { byteLength: 2 ** 30 } as Uint8Array
      return store.userTables.write(name, { ...table, columns: [column] }, erasures)
    }
    const { unsaved } = await computeTimeSeries({ ...store, userTables: { ...store.userTables, write } }, query, now)
    expect(unsaved).toMatch(/^the table of users has 10737\d{5} bytes; the maximum is 1073741824$/)
    expect(await store.userTables.list()).toEqual([])
  })

  it('is continued even if another one cannot be written', async () => {
    const { store } = await open()
    await append(store, randomEntries(4, 5))
    const queries = [query, queryOf('TOTAL_AVERAGE', 5)]
    const noAnalyses = { control: 'old', interimAnalyses: new Map() }
    for (const one of queries) await recordInterimAnalyses(store.userTables, one, noAnalyses, now)
    let written = 0
    const write: typeof store.userTables.write = async (...table) => {
      if (written++ === 0) throw new Error('the disk is full')
      return store.userTables.write(...table)
    }
    const source = { ...store, userTables: { ...store.userTables, write } }
    let close = async () => {}
    const error = await new Promise((onError) => {
      const maintenance = openResultMaintenance({
        userTables: source.userTables,
        readTimeSeries: createTimeSeriesCache(source, () => now),
        findVariations: async () => ['old', 'new'],
        now: () => now,
        onNotice: () => undefined,
        onError,
        checkMs: 1
      })
      close = maintenance.close
    })
    await close()
    expect(error).toEqual(new Error('the table of an experiment could not be written: the disk is full'))
    const tables = await Promise.all((await store.userTables.list()).map((name) => store.userTables.read(name)))
    expect(tables.filter((table) => table !== undefined)).toHaveLength(1)
  })
})
