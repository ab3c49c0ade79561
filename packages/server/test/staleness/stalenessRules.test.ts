import type { StalenessReason } from '@burgee/contract/schemas'
import type { Rollout } from '@burgee/core'
import {
  allUsers,
  DAY,
  type FeaturePlan,
  idOf,
  makeConfigurations,
  makeFeature,
  NOW,
  type TargetPlan
} from '@burgee/testing/plan'
import { describe, expect, it, test } from 'vitest'
import { defaultSettings } from '../../src/flags/projects/defaultSettings.ts'
import {
  type EvaluationUsage,
  findStaleness,
  isSilenced,
  type StalenessCandidate,
  type StalenessRules
} from '../../src/insights/staleness/findStaleness.ts'
import type { StoredConfiguration, StoredFeature } from '../../src/storage/resources/feature.ts'

const HOUR = 3_600_000
const LONG_AGO = NOW - 1000 * DAY
const at = (moment: number) => new Date(moment).toISOString()

const types = ['release', 'experiment', 'ops', 'permission'] as const
const variations = { on: { f: true }, off: { f: false } }

/** A feature that serves no users, modified just now. */
function subject(plan: Partial<FeaturePlan> = {}, members: Partial<StoredFeature> = {}): StalenessCandidate {
  const whole: FeaturePlan = { key: 'f', variations, offIn: ['production'], ...plan }
  return {
    feature: { ...makeFeature(whole), createdAt: at(LONG_AGO), updatedAt: at(NOW), ...members },
    configurations: makeConfigurations(whole, {})
  }
}

const usedNow: EvaluationUsage = { since: LONG_AGO, lastEvaluated: new Map([[idOf('f'), NOW]]) }
const settings = { ...defaultSettings.staleness, enabled: true }
const rules: StalenessRules = {
  settings,
  allowsPassthrough: true,
  productionEnvironments: new Set([idOf('production')])
}

function reasonAt(
  now: number,
  given: StalenessCandidate,
  usage: EvaluationUsage = usedNow,
  more: Partial<StalenessRules> = {}
): StalenessReason | undefined {
  return findStaleness(given, usage, { ...rules, ...more }, now)?.reason
}

describe('a feature that was not modified', () => {
  test.each([
    ['release', 14, 'unmodifiedShort'],
    ['experiment', 14, 'unmodifiedShort'],
    ['ops', 30, 'unmodifiedLong'],
    ['permission', 30, 'unmodifiedLong']
  ] as const)('of type %s is stale after more than %i days: %s', (type, days, reason) => {
    const updatedAt = at(NOW - days * DAY)
    expect(reasonAt(NOW, subject({ type }, { updatedAt }))).toBeUndefined()
    const found = findStaleness(subject({ type }, { updatedAt }), usedNow, rules, NOW + 1)
    expect(found).toEqual({ reason, since: NOW - days * DAY })
  })
})

describe('a feature that was not evaluated', () => {
  const lastHour = NOW - 14 * DAY - HOUR

  test.each(types)('of type %s is unused 14 days after the hour in which it last was', (type) => {
    const usage = { since: LONG_AGO, lastEvaluated: new Map([[idOf('f'), lastHour]]) }
    expect(reasonAt(NOW - 1, subject({ type }), usage)).toBeUndefined()
    expect(findStaleness(subject({ type }), usage, rules, NOW)).toEqual({ reason: 'unused', since: NOW - 14 * DAY })
  })

  const never: EvaluationUsage['lastEvaluated'] = new Map([[idOf('another'), NOW]])

  it('is not unused within 14 days of its creation, or of the first count', () => {
    const young = subject({}, { createdAt: at(NOW - 14 * DAY) })
    expect(reasonAt(NOW - 1, young, { since: LONG_AGO, lastEvaluated: never })).toBeUndefined()
    expect(reasonAt(NOW, young, { since: LONG_AGO, lastEvaluated: never })).toBe('unused')
    const upgraded = { since: NOW - 14 * DAY, lastEvaluated: never }
    expect(reasonAt(NOW - 1, subject(), upgraded)).toBeUndefined()
    expect(reasonAt(NOW, subject(), upgraded)).toBe('unused')
  })

  it('is unused regardless of its targeting', () => {
    const usage = { since: LONG_AGO, lastEvaluated: never }
    const split = subject({ offIn: [], targets: [{ serves: { on: 0.5, off: 0.5 } }] })
    expect([reasonAt(NOW, split, usage), reasonAt(NOW, subject(), usage)]).toEqual(['unused', 'unused'])
  })
})

describe('a feature with one variation for all users', () => {
  const rollout = (percentage: number, days: number, type = 'gradual'): Rollout => ({
    type,
    startDate: at(NOW - 60 * DAY),
    startPercentage: 0.1,
    stages: [{ type: 'linear', percentage, date: at(NOW - days * DAY) }]
  })
  const someone = { type: 'user', subType: 'email', comparator: '=', values: ['ada@example.com'] } as const
  const nested = (operator: string, ...filters: readonly object[]) => ({ operator, filters }) as never
  const empty = nested('and')

  /** Targets → whether all users get one variation. They have existed for 30 days. */
  const cases: [string, readonly TargetPlan[], boolean][] = [
    ['all users', [{}], true],
    ['nobody', [], false],
    ['a share', [{ serves: { on: 0.5, off: 0.5 } }], false],
    ['the whole, with nothing for the other', [{ serves: { off: 0, on: 1 } }], true],
    ['nearly the whole', [{ serves: { on: 0.99995 } }], false],
    ['some people', [{ filters: [someone] }], false],
    ['some users, and then all users with the same variation', [{ filters: [someone] }, {}], true],
    ['some people another one', [{ filters: [someone], serves: { off: 1 } }, {}], false],
    ['all users, before unreachable ones', [{}, { serves: { off: 1 } }], true],
    ['all of them and some', [{ filters: [allUsers, someone] }], false],
    ['all of them or some', [{ filters: [nested('or', allUsers, someone)] }], true],
    ['an empty group', [{ filters: [empty] }], false],
    ['all of them twice', [{ filters: [allUsers, nested('and', allUsers)] }], true],
    ['a rollout that ended 14 days ago', [{ rollout: rollout(1, 14) }], true],
    ['a rollout that ended a little later', [{ rollout: rollout(1, 13.999) }], false],
    ['a rollout that ends below all', [{ rollout: rollout(0.99, 20) }], false],
    ['a rollout that goes on', [{ rollout: rollout(1, -1) }], false],
    ['a schedule that began 60 days ago', [{ rollout: rollout(0, 60, 'schedule') }], true],
    ['an unfinished rollout, and then all users with the same variation', [{ rollout: rollout(1, -1) }, {}], true],
    [
      'an unfinished rollout for some users, and then all users',
      [{ filters: [someone], rollout: rollout(1, -1) }, {}],
      true
    ]
  ]
  const configured = (
    targets: readonly TargetPlan[],
    members: Partial<StoredConfiguration> = {}
  ): StalenessCandidate => {
    const { feature, configurations } = subject({ offIn: [], targets })
    return { feature, configurations: configurations.map((each) => ({ ...each, ...members })) }
  }

  test.each(cases)('is released by targets for %s: %#', (_, targets, isReleased) => {
    expect(reasonAt(NOW, configured(targets))).toBe(isReleased ? 'released' : undefined)
  })

  test.each(cases.slice(-2))('is not released without passthrough: %s', (_, targets) => {
    expect(reasonAt(NOW, configured(targets), usedNow, { allowsPassthrough: false })).toBeUndefined()
  })

  it('waits for earlier rollouts without passthrough', () => {
    const targets = [{ filters: [someone], rollout: rollout(1, 13) }, {}]
    expect(reasonAt(NOW, configured(targets))).toBe('released')
    expect(reasonAt(NOW, configured(targets), usedNow, { allowsPassthrough: false })).toBeUndefined()
    expect(reasonAt(NOW + DAY, configured(targets), usedNow, { allowsPassthrough: false })).toBe('released')
  })

  test.each(types)('is released 14 days after it began, for type %s where that is a reason', (type) => {
    const { feature, configurations } = configured([{}], { updatedAt: at(NOW - 14 * DAY) })
    const given = { feature: { ...feature, type }, configurations }
    expect(findStaleness(given, usedNow, rules, NOW - 1)).toBeUndefined()
    const variation = feature.variations[0]
    expect(findStaleness(given, usedNow, rules, NOW)).toEqual(
      type === 'release' || type === 'experiment' ? { reason: 'released', since: NOW - 14 * DAY, variation } : undefined
    )
  })

  test.each([
    ['the configuration changed', {}, { updatedAt: at(NOW - DAY) }],
    ['it was turned on', {}, { startedAt: at(NOW - DAY) }],
    ['production changed', { prodTargetingUpdatedAt: at(NOW - DAY) }, {}]
  ] as const)('is not since %s', (_, members, configuration) => {
    const { feature, configurations } = configured([{}], configuration)
    const given = { feature: { ...feature, ...members }, configurations }
    expect(reasonAt(NOW + 13 * DAY - 1, given)).toBeUndefined()
    expect(findStaleness(given, usedNow, rules, NOW + 13 * DAY)).toMatchObject({ reason: 'released', since: NOW - DAY })
  })

  it('is not released where it is turned off, nor outside production', () => {
    expect(reasonAt(NOW, configured([{}], { status: 'inactive' }))).toBeUndefined()
    expect(
      reasonAt(NOW, configured([{}]), usedNow, { productionEnvironments: new Set([idOf('staging')]) })
    ).toBeUndefined()
  })

  it('is released since the earliest release in a production environment', () => {
    const { feature, configurations } = configured([{}], { updatedAt: at(NOW - 20 * DAY) })
    const [older] = configurations as [StoredConfiguration]
    const younger = { ...older, _environment: idOf('eu'), updatedAt: at(NOW) }
    const production = new Set([idOf('production'), idOf('eu')])
    const found = findStaleness(
      { feature, configurations: [younger, older] },
      usedNow,
      { ...rules, productionEnvironments: production },
      NOW
    )
    expect(found?.since).toBe(NOW - 20 * DAY)
  })
})

describe('of several reasons', () => {
  const { feature, configurations } = subject({ offIn: [] }, { updatedAt: at(LONG_AGO) })
  const unused: EvaluationUsage = { since: LONG_AGO, lastEvaluated: new Map() }
  const without = (...reasons: readonly StalenessReason[]) => ({
    settings: { ...settings, ...Object.fromEntries(reasons.map((reason) => [reason, { enabled: false }])) }
  })

  test.each([
    [[], 'released'],
    [['released'], 'unused'],
    [['released', 'unused'], 'unmodifiedShort'],
    [['released', 'unused', 'unmodifiedShort'], undefined],
    [['unused', 'unmodifiedShort'], 'released']
  ] as const)('the first that is turned on counts: without %j %s', (off, reason) => {
    expect(reasonAt(NOW, { feature, configurations }, unused, without(...off))).toBe(reason)
  })

  test.each(['complete', 'archived'] as const)('none applies to a feature that is %s', (status) => {
    expect(reasonAt(NOW, { feature: { ...feature, status }, configurations }, unused)).toBeUndefined()
  })

  it('none applies without detection', () => {
    const off = { settings: { ...settings, enabled: false } }
    expect(reasonAt(NOW, { feature, configurations }, unused, off)).toBeUndefined()
  })
})

describe('the days of a project', () => {
  const untouched = (type: FeaturePlan['type'], days: number) =>
    subject(type ? { type } : {}, { updatedAt: at(NOW - days * DAY - 1) })

  test.each([
    [{ days: 20 }, 'release', 20],
    [{ days: 20, types: { experiment: 40 } }, 'release', 20],
    [{ days: 20, types: { experiment: 40 } }, 'experiment', 40],
    [{ types: { experiment: 40 } }, 'release', 14],
    [{ days: 1 }, 'release', 1]
  ] as const)('count in place of the usual ones: %j of %s', (given, type, days) => {
    const more = { settings: { ...settings, unmodifiedShort: { enabled: true, ...given } } }
    expect(reasonAt(NOW, untouched(type, days), usedNow, more)).toBe('unmodifiedShort')
    expect(reasonAt(NOW - 1, untouched(type, days), usedNow, more)).toBeUndefined()
  })
})

test.each([
  [undefined, false],
  [{ disabled: false }, false],
  [{ disabled: true }, true],
  [{ disabled: false, snoozedUntil: at(NOW + 1) }, true],
  [{ disabled: false, snoozedUntil: at(NOW) }, false],
  [{ disabled: true, snoozedUntil: at(NOW) }, true]
])('%j is silenced: %s', (choice, silenced) => {
  const { feature } = subject({}, choice ? { staleness: { updatedAt: at(NOW), ...choice } } : {})
  expect(isSilenced(feature, NOW)).toBe(silenced)
})
