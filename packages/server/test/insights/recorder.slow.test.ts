import { compile, type Evaluator, type Resolution } from '@burgee/core'
import {
  idOf,
  makeConfigurations,
  makeEnvironments,
  makeFeature,
  makeProject,
  makeVariables,
  NOW,
  type Plan
} from '@burgee/testing/plan'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { buildConfig } from '../../src/delivery/configs/buildConfig.ts'
import { type EventRecorder, openEventRecorder } from '../../src/insights/evaluations/eventRecorder.ts'
import type { EventEntry } from '../../src/storage/events/eventEntry.ts'
import { UncertainWriteError } from '../../src/storage/store.ts'
import { untilReleased } from '../support/garbage.ts'

const HOUR = 3_600_000

const plan: Plan = { features: [{ key: 'checkout' }, { key: 'off', offIn: ['production'] }] }

const features = plan.features!.map(makeFeature)
const variables = plan.features!.flatMap(makeVariables)
const configurations = plan.features!.flatMap((feature) => makeConfigurations(feature, plan))
const [environment] = makeEnvironments(plan)

function evaluatorOf(): Evaluator {
  const project = makeProject(plan)
  return compile(
    buildConfig({ project, environment: environment!, features, configurations, variables, audiences: [] }, 'server')
  )
}

const caller = { environment: environment!, keyType: 'server' as const, features, variables, evaluator: evaluatorOf() }

let evaluator: Evaluator
let recorder: EventRecorder
/** In the order of the calls. */
let appended: EventEntry[]
/** Appending waits for it. */
let disk: Promise<void>
/** The error of each append, if set. */
let failure: Error | undefined
/** All entries that were passed to the store. */
let tried: EventEntry[]
/** How many entries have got an id. */
let named: number
let warnings: string[]
let dropped: number[]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  evaluator = evaluatorOf()
  appended = []
  warnings = []
  dropped = []
  failure = undefined
  tried = []
  named = 0
  disk = Promise.resolve()
  const append = async (entry: EventEntry) => {
    await disk
    tried.push(entry)
    if (failure) throw failure
    appended.push(structuredClone(entry))
  }
  recorder = openEventRecorder(
    { append },
    {
      now: () => NOW,
      id: () => `entry ${++named}`,
      warn: (message) => void warnings.push(message),
      onDropped: (count) => void dropped.push(count)
    }
  )
})

afterEach(() => {
  vi.useRealTimers()
})

function evaluate(key = 'checkout', user: object = { user_id: 'ada' }, at = NOW): void {
  const resolution = evaluator.resolve({ user_id: 'ada', ...user }, key, { now: at })
  recorder.record({ caller, user, known: { user_id: 'ada', ...user }, key, resolution, at })
}

const from = { platform: 'unknown', sdkType: 'api' } as const
const served = { variable: 'checkout', feature: idOf('checkout'), variation: idOf('checkout variation-on'), ...from }

const counts = () => appended.flatMap((entry) => entry.counts)
const users = () => appended.flatMap(({ exposures }) => exposures.map(({ user_id }) => user_id))

describe('recorded evaluations', () => {
  it('are appended as one entry within a second', async () => {
    for (let count = 0; count < 1000; count++) evaluate()
    evaluate('checkout', { user_id: 'eve' }, NOW + 5)
    await vi.advanceTimersByTimeAsync(999)
    expect(appended).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    const got = { feature: served.feature, variation: served.variation, sdkType: 'api', platform: 'unknown', count: 1 }
    expect(appended).toEqual([
      {
        environment: idOf('production'),
        at: NOW + 5,
        batchId: 'entry 1',
        reports: [],
        counts: [{ ...served, count: 1001 }],
        exposures: [
          { user_id: 'ada', ...got },
          { user_id: 'eve', ...got }
        ]
      }
    ])
  })

  it('are appended before events that were reported later', async () => {
    evaluate()
    const report: EventEntry = { environment: idOf('production'), at: NOW, reports: [], counts: [], exposures: [] }
    await recorder.append({ ...report, payloadId: 'after' })
    evaluate()
    await recorder.append({ ...report, environment: 'another', payloadId: 'elsewhere' })
    expect(appended.map(({ payloadId }) => payloadId)).toEqual([undefined, 'after', 'elsewhere'])
    await recorder.close()
    expect(counts().map(({ count }) => count)).toEqual([1, 1])
  })

  test.each(['flush', 'close'] as const)(
    'are appended when %s resolves, including those that the timer is appending',
    async (operation) => {
      let answer = () => {}
      disk = new Promise((resolve) => {
        answer = resolve
      })
      evaluate()
      await vi.advanceTimersByTimeAsync(1000)
      const done = recorder[operation]()
      const first = await Promise.race([done.then(() => operation), new Promise(setImmediate).then(() => 'append')])
      answer()
      await done
      expect([first, counts().length]).toEqual(['append', 1])
    }
  )

  it('count in the hour in which they happened', async () => {
    const turn = Math.floor(NOW / HOUR) * HOUR + HOUR
    evaluate('checkout', { user_id: 'ada' }, turn - 1)
    evaluate('checkout', { user_id: 'ada' }, turn)
    await recorder.flush()
    expect(appended.map(({ at, counts }) => [at, counts[0]?.count])).toEqual([
      [turn - 1, 1],
      [turn, 1]
    ])
    expect(users()).toEqual(['ada', 'ada'])
  })

  test.each<[string, string, object]>([
    ['off', 'the default of the feature', { variable: 'off', feature: idOf('off') }],
    ['nothing', 'no variable', {}]
  ])('of the variable %s count as %s', async (key, _, outcome) => {
    evaluate(key)
    await recorder.flush()
    expect(counts()).toEqual([{ ...outcome, ...from, count: 1 }])
  })

  it('of a thousand unknown variables are one count', async () => {
    for (let index = 0; index < 1000; index++) evaluate(`nothing ${index}`)
    await recorder.flush()
    expect(counts()).toEqual([{ ...from, count: 1000 }])
  })

  it('distinguish twenty platforms', async () => {
    for (let index = 0; index < 100; index++) evaluate('checkout', { user_id: 'ada', platform: `platform ${index}` })
    await recorder.flush()
    expect(counts()).toHaveLength(21)
    expect(counts()).toContainEqual({ ...served, platform: 'other', count: 80 })
  })

  it('share the limit of platforms with reported evaluations', async () => {
    const report = (platform: string, at: number): EventEntry => {
      const count = { ...served, platform, count: 1 }
      return { environment: idOf('production'), at, reports: [], counts: [count], exposures: [] }
    }
    for (let index = 0; index < 30; index++) {
      await recorder.append(report(`platform ${index}`, NOW))
      await vi.advanceTimersByTimeAsync(1000)
    }
    await recorder.append(report('platform 0', NOW))
    await recorder.append(report('platform 29', NOW + HOUR))
    evaluate('checkout', { user_id: 'ada', platform: 'another' })
    await recorder.flush()
    const platforms = counts().map(({ platform }) => platform)
    expect(platforms.slice(18)).toEqual([
      'platform 18',
      'platform 19',
      ...Array.from({ length: 10 }, () => 'other'),
      'platform 0',
      'platform 29',
      'another'
    ])
  })

  it('record a user once an hour for each variation and type of SDK', async () => {
    const turn = Math.floor(NOW / HOUR) * HOUR + HOUR
    for (const at of [NOW, NOW, turn]) {
      for (const sdkType of ['server', 'client']) evaluate('checkout', { user_id: 'ada', sdkType }, at)
      await recorder.flush()
    }
    const exposed = appended.map(({ exposures }) => exposures.map(({ count, isRepeated }) => [count, isRepeated]))
    // When the hour is over, the evaluations since the exposures follow.
    const repeats = [2, 2].map(() => [1, true])
    const first = [2, 2].map(() => [1, undefined])
    expect(exposed).toEqual([first, [], repeats, first])
  })

  it('include the users of all evaluations when that is requested, each evaluation once', async () => {
    for (let count = 0; count < 5; count++) evaluate()
    await recorder.flush()
    await recorder.flush({ withUsers: true })
    evaluate()
    await recorder.flush({ withUsers: true })
    await recorder.close()
    const exposed = appended.flatMap(({ at, exposures }) => exposures.map(({ count }) => [at, count]))
    expect(exposed).toEqual([
      [NOW, 1],
      [NOW, 4],
      [NOW, 1]
    ])
  })

  it('record a user again for another variation, but not for a default in between', async () => {
    const other = idOf('checkout variation-off')
    const serve = (variation: string | undefined) => {
      const resolution = evaluator.resolve({ user_id: 'ada' }, 'checkout', { now: NOW })
      if (resolution.status !== 'served') throw new Error('checkout should be served')
      const feature = { ...resolution.feature, _variation: variation ?? '' }
      const changed = variation === undefined ? ({ status: 'disabled' } as const) : { ...resolution, feature }
      recorder.record({
        caller,
        user: { user_id: 'ada' },
        known: { user_id: 'ada' },
        key: 'checkout',
        resolution: changed as Resolution,
        at: NOW
      })
    }
    for (const variation of [served.variation, served.variation, undefined, other, undefined, served.variation]) {
      serve(variation)
      await recorder.flush()
    }
    const firsts = appended.flatMap(({ exposures }) => exposures.filter(({ isRepeated }) => !isRepeated))
    const got = firsts.map(({ variation }) => variation)
    expect(got).toEqual([served.variation, undefined, other, served.variation])
  })

  it('record a user again after an application reported another variation', async () => {
    const { feature, variation } = served
    const reported = async (got: string) => {
      const exposures = [{ user_id: 'ada', feature, variation: got, sdkType: 'client' as const }]
      await recorder.append({ environment: idOf('production'), at: NOW, reports: [], counts: [], exposures })
    }
    evaluate()
    await reported(variation)
    evaluate()
    await reported(idOf('checkout variation-off'))
    evaluate()
    await recorder.flush()
    const firsts = appended.flatMap(({ exposures }) => exposures.filter(({ isRepeated }) => !isRepeated))
    const got = firsts.map((exposure) => exposure.variation)
    expect(got).toEqual([variation, variation, idOf('checkout variation-off'), variation])
  })

  it('record no user whose id is too long', async () => {
    evaluate('checkout', { user_id: 'x'.repeat(1000) })
    evaluate('checkout', { user_id: 'x'.repeat(1001) })
    await recorder.flush()
    expect([counts(), users()]).toEqual([[{ ...served, count: 2 }], ['x'.repeat(1000)]])
  })

  it('without a user record no exposure', async () => {
    evaluate('checkout', {})
    await recorder.flush()
    expect([counts(), users()]).toEqual([[{ ...served, count: 1 }], []])
  })
})

describe('evaluations that cannot be appended', () => {
  it('are retried, logged once and counted once', async () => {
    failure = new Error('the disk is full')
    for (let second = 0; second < 5; second++) {
      evaluate('checkout', { user_id: `user ${second}` })
      await vi.advanceTimersByTimeAsync(1000)
    }
    expect(warnings).toEqual([expect.stringContaining('could not write evaluations')])
    failure = undefined
    await vi.advanceTimersByTimeAsync(1000)
    expect(counts()).toEqual([{ ...served, count: 5 }])
    expect(users()).toHaveLength(5)
    expect(dropped).toEqual([])
  })

  it('are appended before later ones', async () => {
    failure = new Error('the disk is full')
    evaluate('checkout', { user_id: 'ada' })
    const failing = recorder.flush()
    evaluate('checkout', { user_id: 'eve' })
    await failing
    failure = undefined
    await recorder.flush()
    expect(users()).toEqual(['ada', 'eve'])
  })

  it('are limited to 24 hours and 50,000 exposures', async () => {
    failure = new Error('the disk is full')
    for (let hour = 0; hour < 30; hour++) {
      evaluate('checkout', { user_id: 'ada' }, NOW + hour * HOUR)
      await vi.advanceTimersByTimeAsync(1000)
    }
    for (let user = 0; user < 60_000; user++) evaluate('checkout', { user_id: `user ${user}` }, NOW + 29 * HOUR)
    expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(6 + 10_001)
    expect(warnings).toHaveLength(2)
    failure = undefined
    await recorder.flush()
    expect(counts().reduce((sum, { count }) => sum + count, 0)).toBe(24 + 60_000)
  })

  it('are appended again unchanged, and before later ones, if they may have been stored', async () => {
    const ids = () => appended.map(({ batchId }) => batchId)
    failure = new UncertainWriteError('the connection was lost')
    evaluate()
    await recorder.flush()
    failure = new Error('the disk is full')
    evaluate()
    await recorder.flush()
    failure = undefined
    evaluate()
    await recorder.flush()
    expect(counts().map(({ count }) => count)).toEqual([1, 2])
    expect(tried.map(({ batchId }) => batchId).filter((id) => id === tried[0]?.batchId)).toHaveLength(3)
    expect(ids()).toEqual([tried[0]?.batchId, expect.not.stringMatching(tried[0]?.batchId ?? '')])
    expect(dropped).toEqual([])
  })

  it('stay aggregated in the buffer while many entries may have been stored', async () => {
    failure = new UncertainWriteError('the connection was lost')
    for (let count = 0; count < 50; count++) {
      evaluate()
      await recorder.flush()
    }
    failure = undefined
    await recorder.flush()
    await recorder.flush()
    expect(counts().map(({ count }) => count)).toEqual([...Array(10).fill(1), 40])
  })

  it('are reported as lost when the recorder closes', async () => {
    failure = new Error('the disk is full')
    evaluate()
    await recorder.close()
    expect([dropped, warnings.at(-1)]).toEqual([[1], expect.stringContaining('evaluations lost at shutdown: 1;')])
  })
})

it('the recorder releases former configs', async () => {
  evaluate()
  const past = [evaluator, evaluator.resolve({ user_id: 'ada' }, 'checkout', { now: NOW })].map((it) => new WeakRef(it))
  evaluator = evaluatorOf()
  evaluate()
  await untilReleased(past)
  await recorder.flush()
  expect(counts()).toEqual([{ ...served, count: 2 }])
})
