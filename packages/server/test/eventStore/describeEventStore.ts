import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY, HOUR } from '../../src/lib/time.ts'
import type { EventStoreOptions } from '../../src/storage/events/engine/eventStorage.ts'
import type { EvaluationCount, EventEntry, Exposure, TrackedReport } from '../../src/storage/events/eventEntry.ts'
import type {
  EvaluationsQuery,
  EventRecord,
  EventRecordsQuery,
  EventStore,
  TimeRange,
  UsersQuery
} from '../../src/storage/events/eventStore.ts'

/** The location of an event store, which can be opened again. */
export interface EventStoreFixture {
  readonly open: (options: EventStoreOptions) => Promise<EventStore>
  /** Whether entries survive a restart. */
  readonly isDurable: boolean
}

/** The conformance tests of event storages. Long because it covers the whole interface. */
export function describeEventStore(name: string, createFixture: () => Promise<EventStoreFixture>): void {
  describe(name, () => {
    let fixture: EventStoreFixture
    let store: EventStore
    let now: number
    let notices: string[]

    const options = (): EventStoreOptions => ({ now: () => now, retention: 90, onNotice: (text) => notices.push(text) })

    async function begin(): Promise<void> {
      now = NOON
      notices = []
      fixture = await createFixture()
      store = await fixture.open(options())
    }

    beforeEach(begin)

    afterEach(async () => {
      await store.close()
      expect(notices).toEqual([])
    })

    async function restart(): Promise<void> {
      if (!fixture.isDurable) return
      await store.close()
      store = await fixture.open(options())
    }

    async function countsOf(query: Partial<EvaluationsQuery> = {}): Promise<unknown> {
      const counts = await store.evaluations({ environments: ['production'], periods: [today], ...query })
      return counts.map((one) => Object.fromEntries(one))
    }

    function usersOf(query: Partial<UsersQuery> = {}): Promise<readonly number[]> {
      return store.users({ environments: ['production'], periods: [today], ...query })
    }

    function recordsOf(query: Partial<EventRecordsQuery> = {}): Promise<EventRecord[]> {
      return collect(
        store.eventRecords({ environments: ['production'], range: today, feature: 'f1', event: 'bought', ...query })
      )
    }

    describe('counts', () => {
      test('are summed by variation in each period, with the empty string for the default', async () => {
        await store.append(entry({ counts: [count({ count: 3 }), count({ variation: undefined, count: 2 })] }))
        await store.append(entry({ at: NOON + HOUR - 1, counts: [count({ count: 3 }), count({ variation: 'off' })] }))
        await store.append(entry({ at: NOON + HOUR, counts: [count({ count: 4 })] }))
        await restart()
        const periods = [-1, 0, 1, 2].map((hour) => hourFrom(NOON + hour * HOUR))
        expect(await countsOf({ periods })).toEqual([{}, { on: 6, off: 1, '': 2 }, { on: 4 }, {}])
        expect(await countsOf()).toEqual([{ on: 10, off: 1, '': 2 }])
        expect(await countsOf({ periods: [] })).toEqual([])
      })

      test.each<[string, Partial<EvaluationsQuery>, number]>([
        ['nothing', {}, 31],
        ['a feature', { feature: 'f1' }, 15],
        ['a feature without evaluations', { feature: 'f3' }, 0],
        ['a variable', { variable: 'v1' }, 30],
        ['a platform', { platform: 'ios' }, 2],
        ['a type of SDK', { sdkType: 'mobile' }, 4],
        ['several of them', { feature: 'f1', variable: 'v1', platform: 'web' }, 12],
        ['an environment', { environments: ['staging'] }, 32],
        [
          'several environments, one of which is named twice',
          { environments: ['production', 'staging', 'staging'] },
          63
        ]
      ])('are filtered by %s', async (_, query, sum) => {
        const counts = [
          count({ count: 1, variable: 'v2' }),
          count({ count: 2, platform: 'ios' }),
          count({ count: 4, sdkType: 'mobile' }),
          count({ count: 8 }),
          count({ count: 16, feature: 'f2' })
        ]
        await store.append(entry({ counts }))
        await store.append(entry({ environment: 'staging', counts: [count({ count: 32 })] }))
        await restart()
        expect(await countsOf(query)).toEqual([sum > 0 ? { on: sum } : {}])
      })

      test('belong to the hour of arrival, on any day', async () => {
        for (const at of [NOON - 40 * DAY, NOON - DAY, NOON, NOON + DAY]) {
          await store.append(entry({ at, counts: [count({})] }))
        }
        await restart()
        await store.append(entry({ at: NOON - 40 * DAY, counts: [count({})] }))
        const at = (moment: number) => ({ start: moment, end: moment + DAY })
        const periods = [at(NOON - 40 * DAY), at(NOON - DAY), at(NOON), at(NOON + DAY)]
        expect(await countsOf({ periods })).toEqual([{ on: 2 }, { on: 1 }, { on: 1 }, { on: 1 }])
      })

      test('include the hours that start in a period', async () => {
        await store.append(entry({ at: NOON + HOUR / 2, counts: [count({})] }))
        expect(await countsOf({ periods: [{ start: NOON + 1, end: NOON + HOUR }] })).toEqual([{}])
        expect(await countsOf({ periods: [{ start: NOON, end: NOON + 1 }] })).toEqual([{ on: 1 }])
      })
    })

    test('limits the number of separate counts, and loses no evaluation', async () => {
      const flood = Array.from({ length: 45_000 }, (_, index) => count({ variable: `v${index}`, platform: 'x' }))
      const other = count({ feature: 'f2', variation: 'off' })
      await store.append(entry({ counts: [...flood, other, { ...other, variable: 'v2' }] }))
      await restart()
      await store.append(entry({ at: NOON + HOUR, counts: [count({})] }))
      await store.append(entry({ counts: [count({ variable: 'v0', platform: 'x', count: 4 })] }))
      expect(await countsOf()).toEqual([{ on: 45_005, off: 2 }])
      expect(await countsOf({ feature: 'f2' })).toEqual([{ off: 2 }])
      expect(await countsOf({ variable: 'v0' })).toEqual([{ on: 5 }])
      expect(await countsOf({ platform: 'x' })).toEqual([{ on: 20_004 }])
      expect(await countsOf({ platform: 'other', sdkType: 'client' })).toEqual([{ on: 25_000, off: 2 }])
      expect(await countsOf({ variable: 'v1', periods: [hourFrom(NOON + HOUR)] })).toEqual([{ on: 1 }])
      notices.length = 0
    })

    describe('users', () => {
      test('are counted once in a period, across types of SDKs and environments', async () => {
        await store.append(entry({ exposures: [exposure({}), exposure({}), exposure({ user_id: 'bob' })] }))
        await store.append(entry({ at: NOON + HOUR, exposures: [exposure({ sdkType: 'mobile', feature: undefined })] }))
        await store.append(entry({ environment: 'staging', exposures: [exposure({}), exposure({ user_id: 'cy' })] }))
        await restart()
        expect(await usersOf({ periods: [hourFrom(NOON), hourFrom(NOON + HOUR), hourFrom(NOON + 2 * HOUR)] })).toEqual([
          2, 1, 0
        ])
        expect(await usersOf()).toEqual([2])
        expect(await usersOf({ sdkType: 'mobile' })).toEqual([1])
        expect(await usersOf({ environments: ['production', 'staging'] })).toEqual([3])
      })

      test('are counted exactly up to 512 and estimated beyond, without duplicates', async () => {
        const crowd = (hour: number, from: number, to: number) => {
          const exposures = Array.from({ length: to - from }, (_, index) => exposure({ user_id: `u${from + index}` }))
          return store.append(entry({ at: NOON + hour * HOUR, exposures }))
        }
        await crowd(0, 0, 512)
        await crowd(1, 256, 20_000)
        await restart()
        await crowd(1, 256, 20_000)
        const [few, many] = await usersOf({ periods: [hourFrom(NOON), hourFrom(NOON + HOUR)] })
        expect(few).toBe(512)
        // Three standard errors.
        expect(Math.abs((many ?? 0) / 19_744 - 1)).toBeLessThan(0.05)
        const [all] = await usersOf()
        expect(Math.abs((all ?? 0) / 20_000 - 1)).toBeLessThan(0.05)
      })
    })

    test('returns when features were last evaluated, to the hour', async () => {
      await store.append(entry({ at: NOON - 3 * DAY, counts: [count({ feature: 'old' }), count({})] }))
      await store.append(entry({ at: NOON + 1, counts: [count({}), count({ feature: undefined })] }))
      await store.append(entry({ at: NOON - DAY, counts: [count({ variation: undefined })] }))
      await store.append(entry({ environment: 'staging', at: NOON + HOUR, counts: [count({})] }))
      await restart()
      const last = (from: number) => store.lastEvaluated({ environments: ['production'], from })
      expect(Object.fromEntries(await last(0))).toEqual({ old: NOON - 3 * DAY, f1: NOON })
      // An evaluation in that hour may have been after it started.
      expect(Object.fromEntries(await last(NOON + HOUR - 1))).toEqual({ f1: NOON })
      expect(Object.fromEntries(await last(NOON + HOUR))).toEqual({})
    })

    describe('event records', () => {
      test('contain the exposures, evaluations and events of a feature, in the order of arrival', async () => {
        const later = { at: NOON + 5 }
        await store.append(entry({ exposures: [exposure({})], counts: [count({ count: 2 })] }))
        await store.append(entry({ ...later, reports: [report([{ type: 'bought', value: 3 }])] }))
        const said = { type: 'customEvent', customType: 'bought', featureVars: { f1: 'off', f2: 'x' } }
        await store.append(entry({ ...later, reports: [report([said, { type: 'looked' }])] }))
        await restart()
        const common = { environment: 'production' }
        expect(await recordsOf()).toEqual([
          { ...common, type: 'exposure', at: NOON, user_id: 'ada', variation: 'on' },
          { ...common, type: 'evaluations', at: NOON, variation: 'on', count: 2 },
          { ...common, type: 'event', at: NOON + 5, user_id: 'ada', value: 3, variation: undefined },
          { ...common, type: 'event', at: NOON + 5, user_id: 'ada', value: undefined, variation: 'off' }
        ])
      })

      test.each<[string, Partial<EventRecordsQuery>, number]>([
        ['of a range, to the millisecond', { range: { start: NOON, end: NOON + 1 } }, 1],
        ['before its end', { range: { start: NOON - DAY, end: NOON } }, 1],
        ['of several days', { range: { start: NOON - DAY, end: NOON + HOUR } }, 3],
        ['of several environments', { environments: ['production', 'staging'] }, 4],
        ['of another event', { event: 'customEvent' }, 0],
        ['of an environment without events', { environments: ['x'] }, 0]
      ])('are selected: %s', async (_, query, size) => {
        const reports = [report([{ type: 'bought' }])]
        await store.append(entry({ at: NOON - 1, reports }))
        await store.append(entry({ at: NOON, reports }))
        await store.append(entry({ at: NOON + 1, reports }))
        await store.append(entry({ environment: 'staging', reports }))
        await restart()
        expect(await recordsOf(query)).toHaveLength(size)
      })

      test('end when the query is aborted, even if no entry matches', async () => {
        await store.append(entry({ reports: [report([{ type: 'viewed' }])] }))
        await restart()
        const abort = () => {
          throw new Error('aborted')
        }
        await expect(recordsOf({ throwIfAborted: abort })).rejects.toThrow('aborted')
      })

      test('include exposures from the start of the first hour, since each user is recorded once an hour', async () => {
        for (const at of [NOON - 1, NOON, NOON + HOUR - 1]) {
          const counts = [count({ count: 2 })]
          await store.append(entry({ at, exposures: [exposure({})], counts, reports: [report([{ type: 'bought' }])] }))
        }
        await restart()
        const found = await recordsOf({ range: { start: NOON + HOUR / 2, end: NOON + HOUR } })
        expect(found.map(({ type, at }) => [type, at - NOON])).toEqual([
          ['exposure', 0],
          ['exposure', HOUR - 1],
          ['evaluations', HOUR - 1],
          ['event', HOUR - 1]
        ])
      })

      test('exclude exposures to the default, and other features', async () => {
        const other = { feature: 'f2' }
        await store.append(
          entry({
            exposures: [exposure({ variation: undefined }), exposure(other)],
            counts: [count({ variation: undefined }), count(other)]
          })
        )
        expect(await recordsOf()).toEqual([])
      })
    })

    describe('a payload id', () => {
      test('adds nothing when repeated within an hour in the same environment', async () => {
        const named = entry({ payloadId: 'one', counts: [count({})] })
        await store.append(named)
        await store.append(named)
        now += HOUR - 1
        await restart()
        await store.append({ ...named, at: now })
        expect(await countsOf()).toEqual([{ on: 1 }])
        await store.append({ ...named, environment: 'staging' })
        expect(await countsOf({ environments: ['staging'] })).toEqual([{ on: 1 }])
        now += 1
        await store.append({ ...named, at: now })
        expect(await countsOf()).toEqual([{ on: 2 }])
      })

      test('is distinct for each type of key', async () => {
        for (const keyType of ['client', 'mobile', 'server', 'server', 'client'] as const) {
          await store.append(entry({ payloadId: 'one', keyType, counts: [count({})] }))
          await restart()
        }
        expect(await countsOf()).toEqual([{ on: 3 }])
      })

      test('is distinct for different content', async () => {
        for (const payloadDigest of ['a', 'b', 'b', 'a', undefined, undefined, 'c']) {
          await store.append(entry({ payloadId: 'one', payloadDigest, counts: [count({})] }))
          await restart()
        }
        // Entries of earlier versions have no digest, so they match any content.
        expect(await countsOf()).toEqual([{ on: 3 }])
      })

      test('is deduplicated across midnight', async () => {
        now = NOON + 12 * HOUR - 1
        const named = entry({ at: now, payloadId: 'one', counts: [count({})] })
        await store.append(named)
        now += 2
        await restart()
        await store.append({ ...named, at: now })
        expect(await countsOf({ periods: [{ start: NOON, end: NOON + DAY }] })).toEqual([{ on: 1 }])
      })

      test('adds nothing while the first append is in progress', async () => {
        const named = entry({ payloadId: 'one', counts: [count({})] })
        await Promise.all(Array.from({ length: 20 }, () => store.append(named)))
        await restart()
        expect(await countsOf()).toEqual([{ on: 1 }])
      })
    })

    test('changes its revision when an entry is added', async () => {
      const before = store.revision(['production', 'staging'])
      await store.append(entry({ payloadId: 'one' }))
      const after = store.revision(['production', 'staging'])
      expect(after).not.toBe(before)
      await store.append(entry({ payloadId: 'one' }))
      await store.append(entry({ environment: 'elsewhere' }))
      expect(store.revision(['production', 'staging'])).toBe(after)
    })

    test('keeps the moment since which events are stored', async () => {
      expect(store.since).toBe(NOON)
      now += DAY
      await restart()
      expect(store.since).toBe(NOON)
    })

    test('keeps concurrent appends, and those in progress when it closes', async () => {
      const appending = Array.from({ length: 500 }, () => store.append(entry({ counts: [count({})] })))
      if (fixture.isDurable) await restart()
      await Promise.all(appending)
      expect(await countsOf()).toEqual([{ on: 500 }])
    })

    test('equals a plain list of entries, in any order and with any restarts', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof({ arbitrary: entries, weight: 5 }, fc.constant('restart')), { maxLength: 25 }),
          async (steps) => {
            await store.close()
            await begin()
            const kept: EventEntry[] = []
            const ids = new Set<string>()
            for (const step of steps) {
              if (typeof step === 'string') await restart()
              else {
                await store.append(step)
                const { environment, payloadId, keyType } = step
                const id = payloadId === undefined ? undefined : `${environment} ${keyType} ${payloadId}`
                if (id === undefined || !ids.has(id)) kept.push(step)
                if (id !== undefined && step.at > NOON - HOUR) ids.add(id)
              }
            }
            const query = { environments: ['production', 'staging'], periods }
            expect(await countsOf(query)).toEqual(periods.map((period) => expectedCounts(kept, period)))
            expect(await usersOf(query)).toEqual(periods.map((period) => expectedUsers(kept, period)))
            const range = { start: NOON - 2 * DAY, end: NOON + DAY }
            const found = await recordsOf({ environments: query.environments, range })
            expect(found.map(shown).sort()).toEqual(expectedRecords(kept, range).map(shown).sort())
          }
        ),
        { numRuns: 40 }
      )
    })
  })
}

const NOON = Date.parse('2026-11-21T12:00:00.000Z')

const today: TimeRange = { start: NOON - DAY / 2, end: NOON + DAY / 2 }

function hourFrom(start: number): TimeRange {
  return { start, end: start + HOUR }
}

function entry(more: Partial<EventEntry> = {}): EventEntry {
  return { environment: 'production', at: NOON, reports: [], counts: [], exposures: [], ...more }
}

function count(more: Partial<EvaluationCount>): EvaluationCount {
  return { feature: 'f1', variable: 'v1', variation: 'on', platform: 'web', sdkType: 'client', count: 1, ...more }
}

function exposure(more: Partial<Exposure>): Exposure {
  return { user_id: 'ada', feature: 'f1', variation: 'on', sdkType: 'client', ...more }
}

function report(events: TrackedReport['events']): TrackedReport {
  return { user: { user_id: 'ada' }, events }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const periods = Array.from({ length: 9 }, (_, index) => {
  return { start: NOON - 2 * DAY + index * 8 * HOUR, end: NOON - 2 * DAY + (index + 1) * 8 * HOUR }
})

const user_id = fc.constantFrom('ada', 'bob', 'Zoë\u2028"\\\n')
const feature = fc.constantFrom('f1', 'f2', undefined)
const variation = fc.constantFrom('on', 'off', undefined)
const sdkType = fc.constantFrom('client', 'server', 'mobile', 'api')

const entries: fc.Arbitrary<EventEntry> = fc.record({
  environment: fc.constantFrom('production', 'staging', 'elsewhere'),
  at: fc.integer({ min: NOON - 2 * DAY, max: NOON + DAY }),
  payloadId: fc.constantFrom('one', 'two"\\', undefined, undefined),
  keyType: fc.constantFrom('server', 'client', undefined),
  reports: fc.array(
    fc.record({
      user: fc.record({ user_id }),
      events: fc.array(
        fc.record(
          {
            type: fc.constantFrom('bought', 'customEvent', 'looked'),
            customType: fc.constantFrom('bought', 'looked'),
            value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
            featureVars: fc.constantFrom({ f1: 'on' }, { f2: 'off' })
          },
          { requiredKeys: ['type'] }
        ),
        { maxLength: 3 }
      )
    }),
    { maxLength: 3 }
  ),
  counts: fc.array(
    fc.record({
      variable: fc.constantFrom('v1', 'v2', undefined),
      feature,
      variation,
      platform: fc.constantFrom('web', 'ios'),
      sdkType,
      count: fc.integer({ min: 1, max: 1_000_000 })
    }),
    { maxLength: 4 }
  ),
  exposures: fc.array(fc.record({ user_id, feature, variation, sdkType }), { maxLength: 4 })
})

function within(kept: readonly EventEntry[], { start, end }: TimeRange): readonly EventEntry[] {
  return kept.filter(({ environment, at }) => environment !== 'elsewhere' && at >= start && at < end)
}

function expectedCounts(kept: readonly EventEntry[], period: TimeRange): object {
  const counts: Record<string, number> = {}
  for (const one of within(kept, period).flatMap((entry) => entry.counts)) {
    counts[one.variation ?? ''] = (counts[one.variation ?? ''] ?? 0) + one.count
  }
  return counts
}

function expectedUsers(kept: readonly EventEntry[], period: TimeRange): number {
  return new Set(within(kept, period).flatMap(({ exposures }) => exposures.map((one) => one.user_id))).size
}

function expectedRecords(kept: readonly EventEntry[], range: TimeRange): readonly EventRecord[] {
  return within(kept, range).flatMap(({ environment, at, exposures, counts, reports }): EventRecord[] => [
    ...exposures.flatMap((one): EventRecord[] => {
      if (one.feature !== 'f1' || one.variation === undefined) return []
      return [{ type: 'exposure', at, environment, user_id: one.user_id, variation: one.variation }]
    }),
    ...counts.flatMap((one): EventRecord[] => {
      if (one.feature !== 'f1' || one.variation === undefined) return []
      return [{ type: 'evaluations', at, environment, variation: one.variation, count: one.count }]
    }),
    ...reports.flatMap(({ user, events }) =>
      events
        .filter(({ type, customType }) => (type === 'customEvent' ? (customType ?? type) : type) === 'bought')
        .map(({ value, featureVars }): EventRecord => {
          return { type: 'event', at, environment, user_id: user.user_id, value, variation: featureVars?.f1 }
        })
    )
  ])
}

function shown(record: EventRecord): string {
  return JSON.stringify(record)
}
