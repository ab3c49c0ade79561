import { readFileSync } from 'node:fs'
import { idOf, makeFeature, makeVariables } from '@burgee/testing/plan'
import { describe, expect, it, test } from 'vitest'
import { type VariableIndex, variableIndexOf } from '../../src/insights/evaluations/evaluationOf.ts'
import { aggregateEvents } from '../../src/insights/ingestion/aggregateEvents.ts'
import { MAX_EVALUATIONS_PER_EVENT } from '../../src/insights/ingestion/parseEvent.ts'
import type { TrackedEvent, TrackedReport, TrackedUser } from '../../src/storage/events/eventEntry.ts'

// Recorded requests of unmodified SDKs.
const recorded = JSON.parse(readFileSync(new URL('../vectors/sdk-events.json', import.meta.url), 'utf8'))

/** The project of the recordings, as far as they show it. */
const theirs: VariableIndex = {
  findVariable: (key) => {
    if (!['bool-var', 'json-var', 'num-var'].includes(key)) return undefined
    return { key, feature: 'f1', variations: new Set(['v1']) }
  }
}

const plans = [{ key: 'checkout' }, { key: 'search', status: 'archived' as const }]
const { _feature: _, ...free } = { ...makeVariables({ key: 'free' })[0]! }
const ours = variableIndexOf(plans.map(makeFeature), [...plans.flatMap(makeVariables), free])

const checkout = { variable: 'checkout', feature: idOf('checkout') }
const on = idOf('checkout variation-on')

function aggregate(event: TrackedEvent, user: Partial<TrackedUser> = {}) {
  const reports: TrackedReport[] = [{ user: { user_id: 'ada', ...user }, events: [event] }]
  return aggregateEvents(reports, { index: ours, keyType: 'server', sdkType: 'api' })
}

describe('aggregated SDK events', () => {
  test('contain the counts of the Node SDK and no user', async () => {
    const { reports, counts, exposures } = await aggregateEvents(recorded.nodeSdk.batch, {
      index: theirs,
      keyType: 'server',
      sdkType: 'client'
    })
    const from = { platform: 'NodeJS', sdkType: 'server' }
    const served = { feature: 'f1', variation: 'v1', ...from }
    expect(counts).toEqual([
      { variable: 'bool-var', ...served, count: 2 },
      { variable: 'json-var', ...served, count: 1 },
      { variable: 'num-var', ...served, count: 1 },
      { variable: 'bool-var', feature: 'f1', ...from, count: 1 },
      { ...from, count: 1 }
    ])
    expect(exposures).toEqual([])
    const kept = reports.flatMap(({ events }) => events.map(({ type }) => type))
    expect(kept).toEqual(['sdkConfig', 'sdkConfig', 'customEvent'])
  })

  test('contain the counts of the JavaScript SDK and the exposures of its user', async () => {
    const { reports, counts, exposures } = await aggregateEvents([recorded.jsClient], {
      index: theirs,
      keyType: 'server',
      sdkType: 'api'
    })
    const from = { platform: 'web', sdkType: 'client' }
    const { user_id } = recorded.jsClient.user
    expect(counts).toEqual([
      { variable: 'bool-var', feature: 'f1', variation: 'v1', ...from, count: 2 },
      { variable: 'bool-var', feature: 'f1', ...from, count: 1 },
      { ...from, count: 1 }
    ])
    expect(exposures).toEqual([
      { user_id, feature: 'f1', variation: 'v1', platform: 'web', sdkType: 'client', count: 2 },
      { user_id, feature: 'f1', sdkType: 'client' },
      { user_id, sdkType: 'client' }
    ])
    expect(reports.flatMap(({ events }) => events.map(({ customType }) => customType))).toEqual(['ev'])
  })
})

test.each<[string, TrackedEvent, object]>([
  [
    'a variation in the metadata',
    { type: 'aggVariableEvaluated', metaData: { _variation: on } },
    { ...checkout, variation: on }
  ],
  [
    'a variation among what the user gets',
    { type: 'variableEvaluated', featureVars: { [idOf('checkout')]: on } },
    { ...checkout, variation: on }
  ],
  [
    'a feature that does not carry it',
    { type: 'aggVariableEvaluated', metaData: { _feature: 'f', _variation: on } },
    { ...checkout, variation: on }
  ],
  [
    'a variation that the feature does not have',
    { type: 'aggVariableEvaluated', metaData: { _variation: 'gone' } },
    checkout
  ],
  ['a variation that is not a string', { type: 'aggVariableEvaluated', metaData: { _variation: { a: 1 } } }, checkout],
  ['no variation', { type: 'variableEvaluated' }, checkout],
  ['the default', { type: 'aggVariableDefaulted', metaData: { _variation: on } }, checkout],
  ['the default for a user', { type: 'variableDefaulted', featureVars: { [idOf('checkout')]: on } }, checkout],
  [
    'a variable without a feature',
    { type: 'variableEvaluated', target: 'free', metaData: { _variation: on } },
    { variable: 'free' }
  ],
  [
    'a variable that is archived',
    { type: 'variableDefaulted', target: 'search' },
    { variable: 'search', feature: idOf('search') }
  ],
  [
    'a variable that does not exist',
    { type: 'variableEvaluated', target: '__proto__', metaData: { _variation: on } },
    {}
  ]
])('aggregateEvents attributes %s to known items of the project', async (_, event, outcome) => {
  const { counts, reports } = await aggregate({ target: 'checkout', value: 3, ...event })
  expect(counts).toEqual([{ ...outcome, platform: 'unknown', sdkType: 'api', count: 3 }])
  expect(reports).toEqual([])
})

test.each<[string, Partial<TrackedUser>, object]>([
  ['says nothing', {}, { platform: 'unknown', sdkType: 'api' }],
  ['says both', { platform: 'Android', sdkType: 'mobile' }, { platform: 'Android', sdkType: 'mobile' }],
  ['says a type that there is not', { sdkType: 'desktop' }, { platform: 'unknown', sdkType: 'api' }],
  ['has a platform with a long name', { platform: 'x'.repeat(101) }, { platform: 'other', sdkType: 'api' }]
])('aggregateEvents reads the platform and SDK of a user who %s', async (_, user, from) => {
  const { counts } = await aggregate({ type: 'variableDefaulted', target: 'checkout' }, user)
  expect(counts).toMatchObject([from])
})

it('aggregated events count 1 without a value, and equal evaluations are summed', async () => {
  const event = { type: 'variableDefaulted', target: 'checkout' }
  const events = [event, { ...event, value: MAX_EVALUATIONS_PER_EVENT }, event]
  const reports = ['ada', 'eve', 'ada'].map((user_id) => ({ user: { user_id }, events }))
  const { counts, exposures } = await aggregateEvents(reports, { index: ours, keyType: 'server', sdkType: 'server' })
  expect(counts).toEqual([
    { ...checkout, platform: 'unknown', sdkType: 'server', count: 3 * (MAX_EVALUATIONS_PER_EVENT + 2) }
  ])
  expect(exposures.map(({ user_id }) => user_id)).toEqual(['eve', 'ada'])
})

it('aggregated exposures have the last variation of a user last', async () => {
  const got = (variation: string) => ({
    type: 'variableEvaluated',
    target: 'checkout',
    featureVars: { [checkout.feature]: variation }
  })
  const [one, other] = [on, idOf('checkout variation-off')]
  const events = [got(one), got(other), got(one)]
  const { exposures } = await aggregateEvents([{ user: { user_id: 'ada' }, events }], {
    index: ours,
    keyType: 'client',
    sdkType: 'client'
  })
  expect(exposures.map(({ variation }) => variation)).toEqual([other, one])
})

it('others continue while the audiences of many users are found, and each user gets the own ones', async () => {
  const event = { type: 'variableEvaluated', target: 'checkout', value: 2, metaData: { _variation: on } }
  const reports = Array.from({ length: 40 }, (_, index) => ({
    user: { user_id: `u${index}` },
    events: [event, event],
    audiences: () => {
      const end = performance.now() + 5
      while (performance.now() < end);
      return [`a${index}`]
    }
  }))
  let isDone = false
  const aggregated = aggregateEvents(reports, { index: ours, keyType: 'client', sdkType: 'client' }).finally(() => {
    isDone = true
  })
  let turns = 0
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    turns++
  }
  const { counts, exposures } = await aggregated
  // A user takes longer than a slice.
  expect(turns).toBeGreaterThanOrEqual(reports.length - 1)
  expect(counts.map(({ count }) => count)).toEqual([4 * reports.length])
  expect(exposures.map(({ user_id, audiences, count }) => ({ user_id, audiences, count }))).toEqual(
    reports.map(({ user }, index) => ({ ...user, audiences: [`a${index}`], count: 4 }))
  )
})
