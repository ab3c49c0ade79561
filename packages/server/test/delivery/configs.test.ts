import {
  type Audience,
  type Config,
  compile,
  type Filter,
  type Json,
  type Operator,
  type Rollout,
  type User
} from '@burgee/core'
import {
  allUsers,
  attributeFilter,
  DAY,
  type FeaturePlan,
  idOf,
  makeAudience,
  makeConfigurations,
  makeEnvironments,
  makeFeature,
  makeProject,
  makeVariables,
  NOW,
  type Plan
} from '@burgee/testing/plan'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { buildConfig } from '../../src/delivery/configs/buildConfig.ts'
import type { ConfigInput } from '../../src/delivery/configs/configSources.ts'
import { normalizeDistribution } from '../../src/delivery/configs/normalize/normalizeDistribution.ts'
import { normalizeFilters } from '../../src/delivery/configs/normalize/normalizeFilters.ts'
import { normalizeRollout } from '../../src/delivery/configs/normalize/normalizeRollout.ts'

function sourcesOf(plan: Plan, environment = 'production'): ConfigInput {
  const features = plan.features ?? []
  const here = makeEnvironments(plan).find(({ key }) => key === environment)
  if (!here) throw new Error(`the plan has no environment ${environment}`)
  return {
    project: makeProject(plan),
    environment: here,
    features: features.map(makeFeature),
    configurations: features
      .flatMap((feature) => makeConfigurations(feature, plan))
      .filter(({ _environment }) => _environment === here._id),
    variables: features.flatMap(makeVariables),
    audiences: Object.entries(plan.audiences ?? {}).map(([key, filters]) => makeAudience(key, filters))
  }
}

function keysOf(items: readonly { readonly key: string }[]): string[] {
  return items.map(({ key }) => key)
}

describe('a config', () => {
  it('has the active features of the environment', () => {
    const features: FeaturePlan[] = [
      { key: 'live' },
      { key: 'off', offIn: ['production'] },
      { key: 'archived', status: 'archived' },
      { key: 'complete', status: 'complete', staticVariation: 'variation-off' },
      { key: 'complete-and-off', status: 'complete', staticVariation: 'variation-off', offIn: ['production'] }
    ]
    const config = buildConfig(sourcesOf({ features }), 'server')
    expect(keysOf(config.features)).toEqual(['live', 'complete'])
    expect(keysOf(config.variables)).toEqual(keysOf(features))
  })

  test.each([
    [true, 'server', ['for-all', 'for-servers']],
    [true, 'client', ['for-all', 'for-clients']],
    [true, 'mobile', ['for-all']],
    [false, 'mobile', ['for-all']]
  ] as const)(
    'with the setting sdkTypeVisibility %s includes what a %s key may see: %j',
    (enabledInFeatureSettings, keyType, keys) => {
      const features: FeaturePlan[] = [
        { key: 'for-all' },
        { key: 'for-clients', visibleTo: ['client'] },
        { key: 'for-servers', visibleTo: ['server'] }
      ]
      const settings = { sdkTypeVisibility: { enabledInFeatureSettings } }
      const environments = { production: { ofrepOffValues: true } }
      const config = buildConfig(sourcesOf({ settings, environments, features }), keyType)
      expect(keysOf(config.features)).toEqual(keys)
      expect(keysOf(config.variables)).toEqual(keys)
      expect(Object.keys(config.offValues ?? {})).toEqual(keys)
      for (const { key } of features.filter(({ key: name }) => !keys.includes(name as never))) {
        expect(JSON.stringify(config)).not.toContain(key)
        expect(JSON.stringify(config)).not.toContain(idOf(key))
      }
    }
  )

  test.each<[string, Json]>([
    ['String', ''],
    ['Boolean', false],
    ['Number', 0],
    ['JSON', {}]
  ])('uses an empty %s for a value that a variation lacks', (type, value) => {
    const feature = {
      key: 'a',
      variables: { given: 'String', missing: type },
      variations: { on: { given: 'x' }, off: {} }
    } as FeaturePlan
    const [built] = buildConfig(sourcesOf({ features: [feature] }), 'server').features
    const given = { _var: idOf('variable given'), value: 'x' }
    expect(built?.variations[0]?.variables).toEqual([given, { _var: idOf('variable missing'), value }])
    expect(built?.variations[1]?.variables).toEqual([
      { ...given, value: '' },
      { _var: idOf('variable missing'), value }
    ])
  })

  it('excludes archived variables', () => {
    const sources = sourcesOf({
      features: [
        { key: 'a', variables: { kept: 'String', gone: 'String' }, variations: { on: { kept: 'x', gone: 'y' } } }
      ]
    })
    const variables = sources.variables.map((variable) => ({
      ...variable,
      status: variable.key === 'gone' ? ('archived' as const) : variable.status
    }))
    const config = buildConfig({ ...sources, variables }, 'server')
    expect(JSON.stringify(config)).not.toContain(idOf('variable gone'))
    expect(keysOf(config.variables)).toEqual(['kept'])
  })

  it('has the values of off variations only if the environment serves them', () => {
    const features: FeaturePlan[] = [
      { key: 'named', offIn: ['old'] },
      { key: 'unnamed', variations: { control: { unnamed: false }, rest: { unnamed: true } } }
    ]
    const plan = { environments: { old: { ofrepOffValues: true }, production: {} }, features }
    expect(buildConfig(sourcesOf(plan), 'server').offValues).toBeUndefined()
    expect(buildConfig(sourcesOf(plan, 'old'), 'server').offValues).toEqual({
      named: { variant: 'variation-off', value: false },
      unnamed: { variant: 'control', value: false }
    })
  })

  it('contains the members of a target', () => {
    const rollout = { type: 'schedule', startDate: new Date(NOW).toISOString() }
    const sources = sourcesOf({ features: [{ key: 'a', targets: [{ name: 'Somebody', rollout }] }] })
    const [configuration] = sources.configurations
    const targets = configuration?.targets.map((target) => ({ ...target, bucketingKey: 'company' })) ?? []
    const config = buildConfig(
      { ...sources, configurations: configuration ? [{ ...configuration, targets }] : [] },
      'server'
    )
    expect(config.features[0]?.configuration.targets[0]).toMatchObject({
      name: 'Somebody',
      bucketingKey: 'company',
      rollout
    })
  })

  it('compiles', () => {
    const audiences = { pro: { operator: 'and', filters: [attributeFilter('customData.plan', 'pro')] } }
    const features: FeaturePlan[] = [
      { key: 'a', targets: [{ filters: [{ type: 'audienceMatch', comparator: '=', _audiences: [idOf('pro')] }] }] }
    ]
    const evaluator = compile(buildConfig(sourcesOf({ features, audiences }), 'client'))
    expect(evaluator.variable({ user_id: 'ada', customData: { plan: 'pro' } }, 'a')?.value).toBe(true)
    expect(evaluator.variable({ user_id: 'ada' }, 'a')).toBeUndefined()
  })
})

/** Whether core matches a user with these filters. */
function matches(filters: Operator, audiences: Readonly<Record<string, Audience>>, user: User): boolean {
  const config: Config = {
    project: { _id: 'p', key: 'p', settings: { optIn: { enabled: true } } },
    environment: { _id: 'e', key: 'e' },
    variables: [{ _id: 'v', key: 'v', type: 'Boolean' }],
    audiences,
    features: [
      {
        _id: 'f',
        key: 'f',
        type: 'release',
        settings: { optInEnabled: true },
        variations: [{ _id: 'on', key: 'on', name: 'on', variables: [{ _var: 'v', value: true }] }],
        configuration: {
          _id: 'c',
          targets: [{ _id: 't', _audience: { filters }, distribution: [{ _variation: 'on', percentage: 1 }] }]
        }
      }
    ]
  }
  return compile(config).variable(user, 'v') !== undefined
}

const countries = ['CA', 'DE', 'US']
const platforms = ['iOS', 'web']
const plans = ['free', 'pro']

const filter = fc.oneof(
  fc.constantFrom<Filter>(
    allUsers,
    { type: 'optIn' },
    { type: 'audienceMatch', comparator: '=', _audiences: ['canadians'] }
  ),
  fc.constantFrom<Filter>({ type: 'audienceMatch', comparator: '!=', _audiences: ['canadians'] }, { type: 'unknown' }),
  fc
    .record({
      values: fc.uniqueArray(fc.constantFrom(...countries), { minLength: 1 }),
      comparator: fc.constantFrom('=', '!=')
    })
    .map((rule): Filter => ({ type: 'user', subType: 'country', ...rule })),
  fc.constantFrom(...platforms).map((value) => attributeFilter('platform', value)),
  fc.constantFrom(...plans).map((value) => attributeFilter('customData.plan', value))
)
const { operator } = fc.letrec<{ operator: Operator; member: Filter | Operator }>((tie) => ({
  operator: fc.record({
    operator: fc.constantFrom('and', 'and', 'or'),
    filters: fc.array(tie('member'), { maxLength: 4, depthIdentifier: 'filters' })
  }),
  member: fc.oneof({ depthSize: 'medium', depthIdentifier: 'filters', maxDepth: 5 }, filter, tie('operator'))
}))

const everyUser = countries.flatMap((country) =>
  platforms.flatMap((platform) =>
    plans.flatMap((plan) =>
      [true, false].map((isIn): User => {
        return { user_id: 'ada', country, platform, customData: { plan }, optIns: { f: isIn } }
      })
    )
  )
)

function isOperator(member: Filter | Operator): member is Operator {
  return 'operator' in member
}

/** Every operator in these filters, itself included. */
function operatorsIn(root: Operator): Operator[] {
  return [root, ...(root.filters ?? []).filter(isOperator).flatMap(operatorsIn)]
}

describe('normalized filters', () => {
  it('state implicit requirements of an SDK engine explicitly', () => {
    const given: Filter[] = [
      { type: 'user', subType: 'email', comparator: 'exist' },
      { type: 'user', subType: 'customData', dataKey: 'seats', comparator: '>', values: [null, 5] },
      { type: 'audienceMatch', _audiences: ['staff'] }
    ]
    expect(normalizeFilters('t', { operator: 'or', filters: given }).filters.filters).toEqual([
      { ...given[0], values: [] },
      { ...given[1], values: [5], dataKeyType: 'Number' },
      { ...given[2], comparator: '=' }
    ])
  })

  const known = { canadians: { filters: { operator: 'and', filters: [attributeFilter('country', 'CA')] } } }

  it('match exactly the same users as before', () => {
    fc.assert(
      fc.property(operator, (filters) => {
        const safe = normalizeFilters('target', filters)
        const audiences = { ...known, ...safe.audiences }
        for (const user of everyUser) expect(matches(safe.filters, audiences, user)).toBe(matches(filters, known, user))
      }),
      { numRuns: 150 }
    )
  })

  it('have at most one nested operator in an "and", at its end', () => {
    fc.assert(
      fc.property(operator, (filters) => {
        const safe = normalizeFilters('target', filters)
        const roots = [safe.filters, ...Object.values(safe.audiences).map((audience) => audience.filters)]
        for (const { operator: word, filters: members = [] } of roots.flatMap(operatorsIn)) {
          if (word === 'and') expect(members.slice(0, -1).filter(isOperator)).toEqual([])
        }
      }),
      { numRuns: 300 }
    )
  })

  it('are unchanged if they are already normalized', () => {
    const nested: Operator = {
      operator: 'or',
      filters: [attributeFilter('country', 'CA'), attributeFilter('country', 'DE')]
    }
    const filters: Operator = { operator: 'and', filters: [attributeFilter('platform', 'iOS'), nested] }
    expect(normalizeFilters('target', filters)).toEqual({ filters, audiences: {} })
  })

  it('move nested operators into separate audiences', () => {
    const either = (...values: string[]): Operator => ({
      operator: 'or',
      filters: values.map((value) => attributeFilter('country', value))
    })
    const filters: Operator = { operator: 'and', filters: [either('CA', 'DE'), either('US', 'CA'), allUsers] }
    expect(normalizeFilters('target', filters)).toEqual({
      filters: {
        operator: 'and',
        filters: [allUsers, { type: 'audienceMatch', comparator: '=', _audiences: ['target-1'] }, either('US', 'CA')]
      },
      audiences: { 'target-1': { filters: either('CA', 'DE') } }
    })
  })

  it('are part of the config, including audiences', () => {
    const either: Operator = {
      operator: 'or',
      filters: [attributeFilter('country', 'CA'), attributeFilter('country', 'DE')]
    }
    const audiences = { pro: { operator: 'and', filters: [either, either] } }
    const features: FeaturePlan[] = [
      { key: 'a', targets: [{ filters: [either, attributeFilter('platform', 'iOS'), either] }] }
    ]
    const config = buildConfig(sourcesOf({ features, audiences }), 'server')
    expect(Object.keys(config.audiences ?? {}).sort()).toEqual(
      [idOf('pro'), `${idOf('pro')}-1`, `${idOf('a target 0')}-1`].sort()
    )
    const evaluator = compile(config)
    expect(evaluator.variable({ user_id: 'ada', country: 'DE', platform: 'iOS' }, 'a')?.value).toBe(true)
    expect(evaluator.variable({ user_id: 'ada', country: 'DE', platform: 'web' }, 'a')).toBeUndefined()
  })
})

/** The share of users that core includes with a rollout at a time. */
function shareAt(rollout: Rollout, now: number): number {
  const features = [{ key: 'a', targets: [{ rollout: { type: 'schedule', startDate: new Date(NOW).toISOString() } }] }]
  const config = buildConfig(sourcesOf({ features }), 'server')
  const [feature] = config.features
  const [target] = feature?.configuration.targets ?? []
  if (!feature || !target) throw new Error('the config has no target')
  const configuration = { ...feature.configuration, targets: [{ ...target, rollout }] }
  const explanation = compile({ ...config, features: [{ ...feature, configuration }] }).explain(
    { user_id: 'ada' },
    'a',
    { now }
  )
  return explanation.features[0]?.targets[0]?.rollout?.percentage ?? Number.NaN
}

describe('a normalized rollout', () => {
  const day = (days: number) => new Date(NOW + days * DAY).toISOString()

  test.each([
    ['2026-03-01T14:00:00+02:00', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T12:00:00.123456Z', '2026-03-01T12:00:00.123Z']
  ])('has UTC dates with milliseconds: %s', (startDate, written) => {
    expect(normalizeRollout({ type: 'schedule', startDate })).toEqual({ type: 'schedule', startDate: written })
    const stages = [{ type: 'discrete', date: startDate, percentage: 1 }]
    const safe = normalizeRollout({ type: 'stepped', startDate, startPercentage: 0, stages })
    expect(safe).toMatchObject({ startDate: written, stages: [{ date: written }] })
  })

  it('has a start percentage and its stages ordered by time', () => {
    const late = { type: 'discrete', date: day(5), percentage: 1 }
    const early = { type: 'discrete', date: day(2), percentage: 0.5 }
    expect(normalizeRollout({ type: 'stepped', startDate: day(0), stages: [late, early] })).toEqual({
      type: 'stepped',
      startDate: day(0),
      startPercentage: 0,
      stages: [early, late]
    })
  })

  it('keeps a linear stage that begins at 0', () => {
    const rollout = {
      type: 'gradual',
      startDate: day(0),
      startPercentage: 0,
      stages: [{ type: 'linear', date: day(10), percentage: 0.8 }]
    }
    expect(normalizeRollout(rollout)).toEqual(rollout)
  })

  test.each([
    ['up from the start', 0.2, [{ type: 'linear', date: day(10), percentage: 0.6 }]],
    ['down to nothing', 1, [{ type: 'linear', date: day(10), percentage: 0 }]],
    [
      'up after a step',
      0.1,
      [
        { type: 'discrete', date: day(4), percentage: 0.5 },
        { type: 'linear', date: day(10), percentage: 1 }
      ]
    ],
    [
      'up and down again',
      0,
      [
        { type: 'linear', date: day(4), percentage: 0.5 },
        { type: 'linear', date: day(10), percentage: 0.25 }
      ]
    ],
    ['by less than one percent', 0.5, [{ type: 'linear', date: day(10), percentage: 0.505 }]]
  ])('has discrete steps of one percent where it goes %s', (_, startPercentage, stages) => {
    const rollout: Rollout = { type: 'gradual', startDate: day(0), startPercentage, stages }
    const safe = normalizeRollout(rollout)
    const dates = safe.stages?.map(({ date }) => date) ?? []
    expect(dates).toEqual([...dates].sort())
    for (const [index, stage] of (safe.stages ?? []).entries()) {
      const from = safe.stages?.[index - 1]?.percentage ?? startPercentage
      if (from > 0) expect(stage.type).toBe('discrete')
    }
    for (let hours = 1; hours <= 24 * 11; hours += 5) {
      const now = NOW + hours * 3_600_000 + 1
      expect(Math.abs(shareAt(safe, now) - shareAt(rollout, now))).toBeLessThanOrEqual(0.01 + 1e-9)
    }
    expect(shareAt(safe, NOW + 10 * DAY)).toBe(stages.at(-1)?.percentage)
  })

  it('is part of the config', () => {
    const rollout = {
      type: 'gradual',
      startDate: '2026-03-01T14:00:00+02:00',
      startPercentage: 0.5,
      stages: [{ type: 'linear', date: day(1), percentage: 0.52 }]
    }
    const config = buildConfig(sourcesOf({ features: [{ key: 'a', targets: [{ rollout }] }] }), 'server')
    expect(config.features[0]?.configuration.targets[0]?.rollout).toEqual({
      type: 'gradual',
      startDate: day(0),
      startPercentage: 0.5,
      stages: [
        { type: 'discrete', date: day(0.5), percentage: 0.51 },
        { type: 'discrete', date: day(1), percentage: 0.52 }
      ]
    })
  })
})

describe('a normalized distribution', () => {
  test.each([
    [[1 / 3, 1 / 3, 1 / 3]],
    [[0.3333, 0.3333, 0.3333]],
    [[0.9999]],
    [Array(6).fill(1 / 6)],
    [Array(7).fill(1 / 7)]
  ])('covers all users with the shares %j', (percentages: number[]) => {
    const shares = percentages.map((percentage, index) => ({ _variation: String(index), percentage }))
    const safe = normalizeDistribution(shares)
    // Engines concatenate them in descending order of their ids.
    expect([...safe].reverse().reduce((sum, { percentage }) => sum + percentage, 0)).toBe(1)
    expect(safe.slice(1)).toEqual(shares.slice(1))
  })

  test.each([[[0.5, 0.5]], [[0.5, 0.4]], [[0]], [[]]])('leaves %j unchanged', (percentages: number[]) => {
    const shares = percentages.map((percentage, index) => ({ _variation: String(index), percentage }))
    expect(normalizeDistribution(shares)).toEqual(shares)
  })
})
