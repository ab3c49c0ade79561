import { type Audience, type Config, compile, type Feature, ofrepFlags, type Target, toUser } from '@burgee/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedFlags } from '../../src/config/changedFlags.ts'
import { shareStructure } from '../../src/config/structuralSharing.ts'
import { configOf, featureOf, targetOf } from '../support/configs.ts'

const audiences: Record<string, Audience> = {
  outer: { filters: { operator: 'or', filters: [{ type: 'audienceMatch', comparator: '=', _audiences: ['inner'] }] } },
  inner: { filters: { operator: 'and', filters: [emailIs('a@example.com')] } },
  unused: { filters: { operator: 'and', filters: [{ type: 'all' }] } }
}

const inOuter = targetOf('in-outer', {
  operator: 'and',
  filters: [{ operator: 'or', filters: [{ type: 'audienceMatch', comparator: '=', _audiences: ['outer'] }] }]
})
const withRollout = targetOf('rollout', undefined, {
  rollout: { type: 'schedule', startDate: '2026-01-01T00:00:00Z' }
})
const optedIn = targetOf('opted-in', { operator: 'and', filters: [{ type: 'optIn' }] })

/**
 * `a` and `b` have features of their own, `c` and `d` share one; `e` uses an audience, `f` a rollout, `g` opt-in; `b`
 * is in a second feature, too.
 */
const config = configOf({ a: 1, b: 2 }, {
  variables: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'off'].map((key) => ({ _id: `id-${key}`, key, type: 'Number' })),
  features: [
    featureOf('both', { c: 3, d: 4 }),
    featureOf('audience', { e: 5 }, [inOuter]),
    featureOf('rollout', { f: 6 }, [withRollout]),
    { ...featureOf('opt-in', { g: 7 }, [optedIn]), settings: { optInEnabled: true } },
    featureOf('second', { b: 22 }, [targetOf('some', { operator: 'and', filters: [emailIs('b@example.com')] })])
  ],
  audiences,
  offValues: { off: { variant: 'off', value: 0 } }
} as Partial<Config>)

function emailIs(value: string) {
  return { type: 'user', subType: 'email', comparator: '=', values: [value] }
}

/** Returns the config with one feature changed. */
function withFeature(key: string, change: (feature: Feature) => Feature): Config {
  return { ...config, features: config.features.map((feature) => (feature.key === key ? change(feature) : feature)) }
}

function withTargets(key: string, change: (targets: readonly Target[]) => readonly Target[]): Config {
  return withFeature(key, (feature) => {
    const { configuration } = feature
    return { ...feature, configuration: { ...configuration, targets: change(configuration.targets) } }
  })
}

function withVariable(parts: object): Config {
  return { ...config, variables: config.variables.map((v) => (v.key === 'a' ? { ...v, ...parts } : v)) }
}

/** Returns the feature with another id for a variable. */
function renamed(feature: Feature, from: string, to: string): Feature {
  return JSON.parse(JSON.stringify(feature).replaceAll(`"${from}"`, `"${to}"`))
}

function withValue(key: string, name: string, value: number): Config {
  return withFeature(key, (feature) => ({
    ...feature,
    variations: feature.variations.map((variation) => ({
      ...variation,
      variables: variation.variables.map((item) => (item._var === `id-${name}` ? { ...item, value } : item))
    }))
  }))
}

function withSettings(settings: Config['project']['settings']): Config {
  return { ...config, project: { ...config.project, settings } }
}

test.each<[string, Config, string[]]>([
  ['nothing', structuredClone(config), []],
  ['the address of the stream', { ...config, sse: { hostname: 'http://x', path: '/y' } } as Config, []],
  ['hashes of variables', { ...config, variableHashes: { a: 1 } }, []],
  [
    'the name of a feature, and its tags',
    withFeature('both', (f) => ({ ...f, name: 'x', tags: ['y'] }) as Feature),
    []
  ],
  ['the key and the type of a feature', withFeature('both', (f) => ({ ...f, key: 'other', type: 'ops' })), []],
  [
    'the name of a variation',
    withFeature('both', (f) => ({ ...f, variations: f.variations.map((v) => ({ ...v, name: 'x' })) })),
    []
  ],
  ['the name of a target', withTargets('both', (targets) => targets.map((t) => ({ ...t, name: 'x' }))), []],
  ['a setting that evaluation does not read', withSettings({ edgeDB: { enabled: true } }), []],
  ['an audience that no target reaches', { ...config, audiences: { ...audiences, unused: audiences.inner! } }, []],
  [
    'the key of a variation',
    withFeature('both', (f) => ({ ...f, variations: f.variations.map((v) => ({ ...v, key: 'x' })) })),
    ['c', 'd']
  ],
  ['one value', withValue('both', 'c', 33), ['c']],
  ['a value in the feature of less precedence', withValue('b', 'b', 0), ['b']],
  [
    'the id of a target, which seeds the hashes',
    withTargets('both', (targets) => targets.map((t) => ({ ...t, _id: 'x' }))),
    ['c', 'd']
  ],
  ['a target more', withTargets('a', (targets) => [optedIn, ...targets]), ['a']],
  ['no target', withTargets('a', () => []), ['a']],
  [
    'the attribute that is hashed',
    withTargets('a', (targets) => targets.map((t) => ({ ...t, bucketingKey: 'team' }))),
    ['a']
  ],
  [
    'a share',
    withTargets('a', (targets) =>
      targets.map((t) => ({ ...t, distribution: [{ _variation: 'on', percentage: 0.5 }] }))
    ),
    ['a']
  ],
  ['a filter', withTargets('second', () => [targetOf('some')]), ['b']],
  [
    'the date of a rollout',
    withTargets('rollout', () => [
      { ...withRollout, rollout: { type: 'schedule', startDate: '2027-01-01T00:00:00Z' } }
    ]),
    ['f']
  ],
  [
    'a rollout of null, which makes it a split',
    withTargets('a', (targets) => targets.map((t) => ({ ...t, rollout: null }))),
    ['a']
  ],
  ['an audience that another one asks', { ...config, audiences: { ...audiences, inner: audiences.unused! } }, ['e']],
  ['an audience that is gone', { ...config, audiences: { outer: audiences.outer! } }, ['e']],
  ['passing through rollouts', withSettings({ disablePassthroughRollouts: true }), ['f']],
  ['opting in', withSettings({ optIn: { enabled: true } }), ['g']],
  ['whether one can opt in, where nobody can', withFeature('opt-in', (f) => ({ ...f, settings: {} })), []],
  ['the id of a feature, which metadata tell', withFeature('a', (f) => ({ ...f, _id: 'other' })), ['a']],
  [
    'the order of features that share no variable',
    { ...config, features: [...config.features].sort((x, y) => (x.key < y.key ? -1 : 1)) },
    []
  ],
  ['the order of features that share one', { ...config, features: config.features.toReversed() }, ['b']],
  ['a feature that is gone', { ...config, features: config.features.filter(({ key }) => key !== 'both') }, ['c', 'd']],
  ['a feature more', { ...config, features: [...config.features, featureOf('third', { off: 1, a: 9 })] }, ['a', 'off']],
  [
    'the type of a variable',
    { ...config, variables: config.variables.map((v) => (v.key === 'a' ? { ...v, type: 'JSON' } : v)) },
    ['a']
  ],
  [
    'metadata of a variable',
    { ...config, variables: config.variables.map((v) => (v.key === 'a' ? { ...v, metadata: { owner: 'x' } } : v)) },
    ['a']
  ],
  ['what a variable has besides', withVariable({ description: 'x', updatedAt: '2026-11-21' }), []],
  ['metadata that are not flat', withVariable({ metadata: { nested: { a: 1 }, list: [1] } }), []],
  ['metadata by a name of the evaluation', withVariable({ metadata: { _feature: 'x', evalReasonDetails: 'y' } }), []],
  [
    'the id of a variable',
    {
      ...withVariable({ _id: 'other' }),
      features: config.features.map((f) => (f.key === 'a' ? renamed(f, 'id-a', 'other') : f))
    },
    ['a']
  ],
  [
    'an off value',
    { ...config, offValues: { off: { variant: 'off', value: 1 }, a: { variant: 'off', value: 0 } } },
    ['a', 'off']
  ],
  [
    'a variable that is gone, which stops its feature',
    { ...config, variables: config.variables.filter(({ key }) => key !== 'c') },
    ['c', 'd']
  ],
  [
    'a variable more',
    { ...config, variables: [...config.variables, { _id: 'id-new', key: 'new', type: 'String' }] },
    ['new']
  ]
])('%s', (_, next, expected) => {
  expect(changedFlags(config, next)).toEqual(expected)
  expect(changedFlags(config, shareStructure(config, structuredClone(next)))).toEqual(expected)
  expect(changedFlags(next, config)).toEqual(expected)
})

/** Returns a config with `count` features, and the same with one value changed. */
function largeConfigs(count: number, keyOf: (index: number) => string): [Config, Config] {
  const features = Array.from({ length: count }, (_, index) => ({
    ...featureOf(`f${index}`, { [keyOf(index)]: index }),
    _id: `f${index}`
  }))
  const keys = [...new Set(features.map((_, index) => keyOf(index)))]
  const before = configOf({}, {
    features,
    variables: keys.map((key) => ({ _id: `id-${key}`, key, type: 'Number' }))
  } as Partial<Config>)
  const changed = { ...featureOf('f5', { [keyOf(5)]: -1 }), _id: 'f5' }
  return [before, { ...before, features: features.with(5, changed) }]
}

function msOf(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

test('changedFlags takes linear time when one variable is in every feature', () => {
  const [small, large] = [1_000, 16_000].map((count) => {
    const [before, after] = largeConfigs(count, () => 'shared')
    expect(changedFlags(before, after)).toEqual(['shared'])
    return Math.min(...Array.from({ length: 3 }, () => msOf(() => changedFlags(before, after))))
  })
  // 16 times as much; quadratic, it takes 256 times as long.
  expect(large! / Math.max(small!, 0.5)).toBeLessThan(100)
})

const [large, withChange] = largeConfigs(100, (index) => `flag-${index}`)
const without5: Config = {
  ...large,
  features: large.features.toSpliced(5, 1),
  variables: large.variables.toSpliced(5, 1)
}

test.each<[string, Config, Config]>([
  ['changed', large, withChange],
  ['added', without5, large],
  ['removed', large, without5]
])('changedFlags compares only the flags of a feature that is %s', (_, before, after) => {
  let looks = 0
  for (const feature of new Set([...before.features, ...after.features])) {
    const target = feature.configuration.targets[0]!
    const { _audience } = target
    Object.defineProperty(target, '_audience', {
      get: () => ++looks && _audience,
      enumerable: true,
      configurable: true
    })
  }
  looks = 0
  expect(changedFlags(before, after)).toEqual(['flag-5'])
  // The changed one, in both states.
  expect(looks).toBeLessThan(10)
})

test('changedFlags returns every flag of the first config', () => {
  expect(changedFlags(undefined, config)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'off'])
})

const value = fc.integer({ min: 0, max: 2 })
const target = fc
  .record({
    _id: fc.constantFrom('t1', 't2'),
    filter: fc.constantFrom(
      { type: 'all' },
      emailIs('a@example.com'),
      { type: 'audienceMatch', comparator: '=', _audiences: ['outer'] },
      { type: 'audienceMatch', comparator: '!=', _audiences: ['inner'] }
    ),
    rollout: fc.constantFrom(undefined, null, withRollout.rollout!, {
      type: 'schedule',
      startDate: '2030-01-01T00:00:00Z'
    })
  })
  .map(({ _id, filter, rollout }) => {
    return targetOf(_id, { operator: 'and', filters: [filter] }, rollout === undefined ? {} : { rollout })
  })
const feature = fc
  .record({
    key: fc.constantFrom('x', 'y', 'z'),
    values: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value, { minKeys: 1, noNullPrototype: true }),
    targets: fc.array(target, { maxLength: 3 })
  })
  .map(({ key, values, targets }) => featureOf(key, values, targets))
const anyConfig = fc
  .record({
    features: fc.uniqueArray(feature, { selector: ({ key }) => key, maxLength: 3 }),
    keys: fc.subarray(['a', 'b', 'c', 'd'], { minLength: 2 }),
    inner: fc.constantFrom('a@example.com', 'b@example.com'),
    isPassthrough: fc.boolean(),
    off: fc.option(value, { nil: undefined })
  })
  .map(
    ({ features, keys, inner, isPassthrough, off }): Config => ({
      project: { _id: 'p', key: 'p', settings: { disablePassthroughRollouts: !isPassthrough } },
      environment: { _id: 'e', key: 'e' },
      features,
      variables: keys.map((key) => ({ _id: `id-${key}`, key, type: 'Number' })),
      audiences: { ...audiences, inner: { filters: { operator: 'and', filters: [emailIs(inner)] } } },
      ...(off === undefined ? {} : { offValues: { a: { variant: 'off', value: off } } })
    })
  )

test('changedFlags returns every flag whose result differs for some user', () => {
  const now = Date.parse('2026-11-21T00:00:00Z')
  const email = fc.constantFrom(undefined, 'a@example.com', 'b@example.com')
  fc.assert(
    fc.property(anyConfig, anyConfig, fc.array(email, { minLength: 1 }), (before, after, emails) => {
      const changed = changedFlags(before, shareStructure(before, after))
      for (const [index, one] of emails.entries()) {
        const user = toUser({ targetingKey: `user-${index}`, ...(one ? { email: one } : {}) })
        const [was, is] = [before, after].map((config) => {
          const { flags } = ofrepFlags(compile(config), user, { now })
          return new Map(flags.map((flag) => [flag.key, JSON.stringify(flag)]))
        })
        for (const key of ['a', 'b', 'c', 'd']) {
          if (was!.get(key) !== is!.get(key)) expect(changed).toContain(key)
        }
      }
    }),
    { numRuns: 300 }
  )
})

test('shareStructure returns an equal config', () => {
  fc.assert(
    fc.property(anyConfig, anyConfig, (before, after) => {
      expect(shareStructure(before, after)).toEqual(after)
    })
  )
  const shared = shareStructure(config, structuredClone(config))
  expect(shared.variables).toBe(config.variables)
  expect(shared.features.every((one, index) => one === config.features[index])).toBe(true)
})
