import { describe, expect, test } from 'vitest'
import { isPublicKeyType, parseSdkKeyType, usableKeys } from '../src/access.ts'
import {
  approvalSettings,
  type EnvironmentState,
  environmentStates,
  type ServedFeature,
  type ServingConfiguration,
  servedInProduction,
  userProperties,
  variationForAll
} from '../src/rules.ts'
import { UserFilter } from '../src/schemas.ts'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const DAY = 86_400_000
const at = (days: number) => new Date(NOW + days * DAY).toISOString()

type Target = ServingConfiguration['targets'][number]
type Rollout = Target['rollout']

const allUsers = { type: 'all' }
const canada = { type: 'user', subType: 'country', comparator: '=', values: ['CA'] }

function target(members: Partial<Target> = {}, variation = 'on'): Target {
  const distribution = [{ _variation: variation, percentage: 1 }]
  return { audience: { filters: { operator: 'and', filters: [allUsers] } }, distribution, ...members }
}

const where = (...filters: readonly object[]) => ({ audience: { filters: { operator: 'and', filters } } })
const whereAny = (...filters: readonly object[]) => ({ audience: { filters: { operator: 'or', filters } } })
const split = (on: number, off: number) => ({
  distribution: [
    { _variation: 'on', percentage: on },
    { _variation: 'off', percentage: off }
  ]
})
const schedule = (days: number): Rollout => ({ type: 'schedule', startDate: at(days) })
const gradual = (start: number, end: number, percentage = 1): Rollout => ({
  type: 'gradual',
  startDate: at(start),
  startPercentage: 0.1,
  stages: [{ type: 'linear', percentage, date: at(end) }]
})

describe('the variation that all users get until the configuration changes', () => {
  const isOn = (since = 0) => ({ variation: 'on', since: since === 0 ? 0 : NOW + since * DAY })
  const none = (why: string) => ({ variation: null, why })
  const rest = none('no target is for all users: the rest get the defaults in the code')
  const waiting = none('the rollout of target 1 has not reached 100%')

  /** Targets → with passthrough; without it, if that differs. */
  const cases: readonly [string, readonly Target[], object, object?][] = [
    ['one target for all', [target()], isOn()],
    ['no targets', [], rest],
    ['some users', [target(where(canada))], rest],
    ['all of them and some', [target(where(allUsers, canada))], rest],
    ['all of them or some', [target(whereAny(allUsers, canada))], isOn()],
    ['an empty group', [target(where())], rest],
    ['a nested group of all', [target(where({ operator: 'and', filters: [allUsers] }))], isOn()],
    ['the same for some and for all', [target(where(canada)), target()], isOn()],
    [
      'another for some',
      [target(where(canada), 'off'), target()],
      none('target 2 serves a different variation than the targets before it')
    ],
    ['another that no user reaches', [target(), target({}, 'off')], isOn()],
    ['a split', [target({ name: 'All', ...split(0.5, 0.5) })], none('target "All" splits users between variations')],
    ['a split with a share of nothing', [target(split(1, 0))], isOn()],
    ['less than all', [target(split(0.99, 0))], none('target 1 splits users between variations')],
    ['a schedule that has begun', [target({ rollout: schedule(-1) })], isOn(-1)],
    ['a schedule that has not', [target({ rollout: schedule(1) })], waiting],
    ['a date that cannot be read', [target({ rollout: { type: 'schedule', startDate: 'soon' } })], waiting],
    ['a gradual rollout that is over', [target({ rollout: gradual(-2, -1) })], isOn(-1)],
    ['a gradual rollout that goes on', [target({ rollout: gradual(-1, 1) })], waiting],
    ['a rollout that ends early', [target({ rollout: gradual(-2, -1, 0.5) })], waiting],
    [
      'a rollout of everyone without stages',
      [target({ rollout: { type: 'gradual', startDate: at(-1), startPercentage: 1 } })],
      isOn(-1)
    ],
    ['an unfinished rollout, then the same for all', [target({ rollout: gradual(-1, 1) }), target()], isOn(), waiting],
    [
      'an unfinished rollout of another',
      [target({ rollout: schedule(1) }, 'off'), target()],
      none('target 2 serves a different variation than the targets before it'),
      waiting
    ],
    [
      'a finished rollout for some, then the same for all',
      [target({ ...where(canada), rollout: schedule(-1) }), target()],
      isOn(),
      isOn(-1)
    ]
  ]

  test.each(cases)('%s', (_, targets, withPassthrough, without = withPassthrough) => {
    const configuration = { status: 'active' as const, targets }
    expect(variationForAll(configuration, { now: NOW, allowsPassthrough: true })).toEqual(withPassthrough)
    expect(variationForAll(configuration, { now: NOW })).toEqual(without)
  })
})

describe('the variation that all users get in production', () => {
  const OFF = 'the feature is off: users get the defaults in the code'
  const states = (...list: readonly (readonly [EnvironmentState['type'], 'on' | 'off' | 'inactive' | 'split'])[]) => {
    const environments = list.map(([type], index) => ({ _id: `id-${index}`, key: `e${index}`, type }))
    const configurations = list.map(([, serves], index) => ({
      _environment: `id-${index}`,
      status: serves === 'inactive' ? 'inactive' : 'active',
      targets: [serves === 'split' ? target(split(0.5, 0.5)) : target({}, serves === 'off' ? 'off' : 'on')]
    }))
    const variations = [
      { _id: 'on', key: 'variation-on' },
      { _id: 'off', key: 'variation-off' }
    ]
    // The members that the rule reads.
    const feature = { status: 'active', variations, configurations } as unknown as ServedFeature
    return { feature, environments }
  }
  const inProduction = ({ feature, environments }: ReturnType<typeof states>) =>
    servedInProduction(environmentStates(feature, environments, NOW))

  test.each([
    ['one environment', states(['production', 'on']), 'variation-on', undefined],
    ['environments that agree', states(['production', 'on'], ['disaster_recovery', 'on']), 'variation-on', undefined],
    ['other types do not count', states(['development', 'off'], ['production', 'on']), 'variation-on', undefined],
    [
      'environments that differ',
      states(['production', 'on'], ['disaster_recovery', 'off']),
      null,
      'production environments differ: users get "variation-on" in "e0" and "variation-off" in "e1"'
    ],
    ['off in one', states(['production', 'on'], ['production', 'inactive']), null, `in environment "e1", ${OFF}`],
    ['off in all', states(['production', 'inactive'], ['production', 'inactive']), null, OFF],
    [
      'a split in one',
      states(['production', 'split']),
      null,
      'in environment "e0", target 1 splits users between variations'
    ],
    [
      'no such environment',
      states(['staging', 'on']),
      null,
      'the project has no environment of the type production or disaster_recovery'
    ]
  ] as const)('%s', (_, given, variation, why) => {
    expect(inProduction(given)).toEqual(why === undefined ? { variation } : { variation, why })
  })

  test.each([
    ['a complete feature', { status: 'complete', staticVariation: 'variation-off' }, { variation: 'variation-off' }],
    [
      'an archived feature',
      { status: 'archived' },
      { variation: null, why: 'in environment "e0", the feature is archived: users get the defaults in the code' }
    ]
  ] as const)('%s', (_, members, expected) => {
    const { feature, environments } = states(['production', 'on'])
    expect(inProduction({ feature: { ...feature, ...members }, environments })).toEqual(expected)
  })

  test('a complete feature that is off', () => {
    const { feature, environments } = states(['production', 'inactive'])
    const complete = { ...feature, status: 'complete', staticVariation: 'variation-on' } as const
    expect(inProduction({ feature: complete, environments })).toEqual({ variation: null, why: OFF })
  })
})

test('approvals need one person, and allow emergencies, unless the project sets something else', () => {
  expect(approvalSettings({})).toEqual({ requiredApprovals: 1, allowEmergency: true })
  const given = { enabled: true, requiredApprovals: 2, allowEmergency: false }
  expect(approvalSettings(given)).toEqual(given)
})

test('filters accept exactly the properties of users, and custom ones', () => {
  const { issues = [] } = UserFilter.safeParse({ type: 'user', subType: 'nothing' }).error ?? {}
  for (const name of [...userProperties, 'customData']) expect(issues[0]?.message).toContain(name)
  for (const subType of userProperties) {
    const value = { country: 'CA', appVersion: '1.2.3', platformVersion: '1.2.3' }[subType as 'country'] ?? 'text'
    const filter = { type: 'user', subType, comparator: '=', values: [value] }
    expect(UserFilter.safeParse(filter).success, subType).toBe(true)
  }
})

describe('SDK keys', () => {
  test('have a type by their prefix, also imported ones', () => {
    const keys = ['server-a1', 'client-a1', 'mobile-a1', 'dvc_server_a1', 'dvc_client_a1', 'servers-a1', 'eyJh.a.b', '']
    expect(keys.map(parseSdkKeyType)).toEqual([
      'server',
      'client',
      'mobile',
      'server',
      'client',
      undefined,
      undefined,
      undefined
    ])
  })

  test('of clients and mobiles are public', () => {
    expect((['server', 'client', 'mobile'] as const).filter(isPublicKeyType)).toEqual(['client', 'mobile'])
  })

  test('are usable until they expire or are compromised', () => {
    const keys = [
      { key: 'old' },
      { key: 'compromised', compromised: true },
      { key: 'expired', expiresAt: at(0) },
      { key: 'expiring', expiresAt: at(1) }
    ]
    expect(usableKeys(keys, NOW).map(({ key }) => key)).toEqual(['old', 'expiring'])
  })
})
