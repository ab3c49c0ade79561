import { setImmediate } from 'node:timers/promises'
import { DAY } from '@burgee/testing/plan'
import { describe, expect, it } from 'vitest'
import { computeTimeSeries } from '../../src/insights/results/computeTimeSeries.ts'
import type { TimeSeriesQuery } from '../../src/insights/results/timeSeries.ts'
import { createTimeSeriesCache, type Requester } from '../../src/insights/results/timeSeriesCache.ts'
import { exposure, START, sourceOf } from '../support/events/eventRecords.ts'

const query: TimeSeriesQuery = {
  environments: ['production'],
  range: { start: START, end: START + DAY },
  feature: 'checkout',
  event: 'purchase',
  dimension: 'COUNT_PER_UNIQUE_USER',
  countsFrom: 'startDate',
  variations: ['old', 'new']
}

/** A client that disconnects when a test says so. */
function requester(id = 'ada'): Requester & { isHere: boolean } {
  const one = { id, isHere: true, isGone: () => !one.isHere }
  return one
}

/** A gate that releases all waiters. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** A source of measurements that a test controls: it counts reads, and can act during one. */
function controlled(during: () => Promise<void> = async () => {}) {
  const world = { now: 1000, revision: 0, reads: 0 }
  const store = {
    ...sourceOf([]),
    async *eventRecords() {
      world.reads++
      await during()
      yield exposure('ada', 'new')
    },
    revision: () => world.revision
  }
  const measurements = createTimeSeriesCache(store, () => world.now)
  return { world, measured: (asked: TimeSeriesQuery, by: Requester = requester()) => measurements(asked, by) }
}

describe('the time series cache', () => {
  it('shares a running computation between requests', async () => {
    const { opened, open } = gate()
    const { world, measured } = controlled(() => opened)
    const first = measured(query)
    // More events arrive, and the requests still share the computation, which is the newest one.
    world.revision++
    const second = measured(query)
    open()
    expect([(await first).cached, (await second).cached, world.reads]).toEqual([false, true, 1])
    expect((await second).timeSeries).toBe((await first).timeSeries)
  })

  it('keeps a result for ten times its duration, and for as long as no event is added on its day', async () => {
    const { world, measured } = controlled(async () => {
      world.now += 100
    })
    expect(await measured(query)).toMatchObject({ at: 1000, cached: false })
    world.revision++
    world.now = 1999
    expect(await measured(query)).toMatchObject({ at: 1000, cached: true })
    world.now = 2000
    expect(await measured(query)).toMatchObject({ at: 2000, cached: false })
    world.now = DAY - 1
    expect(await measured(query)).toMatchObject({ at: 2000, cached: true })
    world.now = DAY
    expect(await measured(query)).toMatchObject({ at: DAY, cached: false })
    // The clock was set back.
    world.revision++
    world.now = 0
    expect(await measured(query)).toMatchObject({ at: 0, cached: false })
  })

  it('does not keep failures', async () => {
    let isBroken = true
    const { measured, world } = controlled(async () => {
      if (isBroken) throw new Error('the disk is gone')
    })
    await expect(measured(query)).rejects.toThrow('the disk is gone')
    isBroken = false
    expect((await measured(query)).cached).toBe(false)
    expect(world.reads).toBe(2)
  })

  it('keeps the hundred most recently used results', async () => {
    const { measured } = controlled()
    const of = (index: number) => measured({ ...query, event: `event ${index}` })
    for (let index = 0; index < 100; index++) await of(index)
    expect((await of(0)).cached).toBe(true)
    await of(100)
    expect((await of(0)).cached).toBe(true)
    expect((await of(1)).cached).toBe(false)
  })

  it('computes two at a time', async () => {
    const { opened, open } = gate()
    const { measured, world } = controlled(() => opened)
    const all = ['a', 'b', 'c', 'd'].map((event) => measured({ ...query, event }, requester(event)))
    await setImmediate()
    expect(world.reads).toBe(2)
    open()
    await Promise.all(all)
    expect(world.reads).toBe(4)
  })

  it('aborts or skips the computation when the client has disconnected', async () => {
    const { opened, open } = gate()
    const { measured, world } = controlled(() => opened)
    const ada = requester()
    const all = ['a', 'b'].map((event) => measured({ ...query, event }, ada))
    await setImmediate()
    ada.isHere = false
    open()
    const outcomes = await Promise.allSettled(all)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(world.reads).toBe(1)
  })

  it('continues while any client waits', async () => {
    const { opened, open } = gate()
    const { measured, world } = controlled(() => opened)
    const [ada, bob] = [requester('ada'), requester('bob')]
    const all = [measured(query, ada), measured(query, bob)]
    await setImmediate()
    ada.isHere = false
    open()
    expect((await Promise.all(all)).map(({ cached }) => cached)).toEqual([false, true])
    expect(world.reads).toBe(1)
  })

  it('does not share an abandoned computation', async () => {
    const { opened, open } = gate()
    const { measured, world } = controlled(() => opened)
    const [ada, bob] = [requester('ada'), requester('bob')]
    const first = Promise.allSettled([measured(query, ada)])
    await setImmediate()
    ada.isHere = false
    const second = measured(query, bob)
    open()
    expect([(await second).cached, (await first)[0].status, world.reads]).toEqual([false, 'rejected', 2])
  })

  it('evicts nothing for refused requests', async () => {
    const { opened, open } = gate()
    let isSlow = false
    const { measured } = controlled(async () => (isSlow ? opened : undefined))
    await measured(query)
    isSlow = true
    const all = Array.from({ length: 200 }, (_, index) => measured({ ...query, event: `event ${index}` }))
    const settled = Promise.allSettled(all)
    await expect(all[3]).rejects.toMatchObject({ status: 429 })
    expect((await measured(query)).cached).toBe(true)
    open()
    expect((await settled).filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  })

  it('yields to the event loop while it computes', async () => {
    const many = Array.from({ length: 50_000 }, (_, index) => exposure(`user ${index}`, 'new'))
    let isDone = false
    let turns = 0
    const others = (async () => {
      while (!isDone) {
        await setImmediate()
        turns++
      }
    })()
    const { days } = await computeTimeSeries(sourceOf(many), query, START + DAY)
    isDone = true
    await others
    expect(days[0]?.variations[1]?.users).toBe(50_000)
    expect(turns).toBeGreaterThan(10)
  })
})
