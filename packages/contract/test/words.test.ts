import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TargetOperator } from '../src/schemas.ts'
import {
  changeSentences,
  condition,
  environmentStatus,
  rolloutState,
  rolloutWords,
  sentence,
  sentences,
  servedSentences,
  type TargetData,
  targetWarnings,
  warningSentence
} from '../src/words.ts'

const now = Date.parse('2026-03-01T12:00:00.000Z')
const context = {
  now,
  variations: new Map([
    ['a', 'A'],
    ['b', 'B']
  ]),
  audiences: new Map([['beta', 'Beta testers']])
}
const everyone = { operator: 'and', filters: [{ type: 'all' }] }
const canada = { operator: 'and', filters: [{ type: 'user', subType: 'country', comparator: '=', values: ['CA'] }] }
const half = [
  { _variation: 'a', percentage: 0.5 },
  { _variation: 'b', percentage: 0.5 }
]
const onlyA = [{ _variation: 'a', percentage: 1 }]
const stepped = {
  type: 'stepped',
  startDate: '2026-02-01T12:00:00.000Z',
  startPercentage: 0.2,
  stages: [{ type: 'discrete', percentage: 1, date: '2026-03-08T12:00:00.000Z' }]
}
const STEP = Date.UTC(2026, 2, 8, 12)
const later = { type: 'schedule', startDate: '2026-03-02T12:00:00.000Z' }

function target(filters: object, distribution: readonly object[] = onlyA, rollout?: object): TargetData {
  return { _id: '1', audience: { filters }, distribution, rollout }
}

function active(...targets: TargetData[]) {
  return { status: 'active', targets }
}

const texts = ['=', '!=', 'contain', '!contain', 'startWith', '!startWith', 'endWith', '!endWith'] as const
const orders = ['=', '!=', '>', '>=', '<', '<='] as const
const words: Readonly<Record<string, string>> = {
  '=': 'is',
  '!=': 'is not',
  '>': '>',
  '>=': '≥',
  '<': '<',
  '<=': '≤',
  contain: 'contains',
  '!contain': 'does not contain',
  startWith: 'starts with',
  '!startWith': 'does not start with',
  endWith: 'ends with',
  '!endWith': 'does not end with',
  exist: 'exists',
  '!exist': 'does not exist'
}

describe('condition', () => {
  const custom = (dataKeyType: string) => ({ subType: 'customData', dataKey: 'plan', dataKeyType })
  const cases = [
    ...(['user_id', 'email', 'platform', 'deviceModel'] as const).map((subType) => ({
      filter: { subType },
      comparators: [...texts, 'exist', '!exist'],
      values: ['x', 'y'],
      value: 'x or y',
      name: { user_id: 'user ID', email: 'email', platform: 'platform', deviceModel: 'device model' }[subType]
    })),
    {
      filter: { subType: 'country' },
      comparators: ['=', '!='],
      values: ['CA', 'US'],
      name: 'country',
      value: 'Canada (CA) or United States (US)'
    },
    {
      filter: { subType: 'country' },
      comparators: [...texts.slice(2), 'exist', '!exist'],
      values: ['CA'],
      name: 'country',
      value: 'CA'
    },
    { filter: { subType: 'appVersion' }, comparators: orders, values: ['1.2.3'], name: 'app version', value: '1.2.3' },
    {
      filter: { subType: 'platformVersion' },
      comparators: orders,
      values: ['1.2.3'],
      name: 'platform version',
      value: '1.2.3'
    },
    {
      filter: custom('String'),
      comparators: [...texts, 'exist', '!exist'],
      values: ['gold'],
      name: 'plan',
      value: 'gold'
    },
    {
      filter: custom('Number'),
      comparators: [...orders, 'exist', '!exist'],
      values: [1200.5],
      name: 'plan',
      value: '“1,200.5”'
    },
    {
      filter: custom('Boolean'),
      comparators: ['=', '!=', 'exist', '!exist'],
      values: [true],
      name: 'plan',
      value: 'true'
    }
  ].flatMap(({ comparators, ...rest }) => comparators.map((comparator) => ({ ...rest, comparator })))

  test.each(cases)('$filter.subType $comparator', ({ filter, comparator, values, name, value }) => {
    const isKnown = comparator.endsWith('exist')
    const full = { type: 'user', ...filter, comparator, ...(isKnown ? {} : { values }) }
    expect(TargetOperator.safeParse({ operator: 'and', filters: [full] }).error?.issues).toBeUndefined()
    const expected = isKnown
      ? `${name} ${words[comparator]}`
      : `${name} ${words[comparator]} ${value.replaceAll(/[“”]/g, '')}`
    expect(condition(full, context)).toBe(expected)
  })

  test.each([
    [{ type: 'all' }, 'everyone'],
    [{ type: 'optIn' }, 'opted in'],
    [{ type: 'audienceMatch', _audiences: ['beta'] }, 'audience is “Beta testers”'],
    [{ type: 'audienceMatch', comparator: '=', _audiences: ['beta', 'gone'] }, 'audience is “Beta testers” or gone'],
    [{ type: 'audienceMatch', comparator: '!=', _audiences: ['beta'] }, 'audience is not “Beta testers”'],
    [{ type: 'later' }, 'no user'],
    [
      {
        operator: 'or',
        filters: [...canada.filters, { operator: 'and', filters: [...canada.filters, { type: 'optIn' }] }]
      },
      'country is Canada (CA) or (country is Canada (CA) and opted in)'
    ]
  ])('%j', (filter, expected) => expect(condition(filter, context)).toBe(expected))

  test('shortens lists and shows characters that hide text', () => {
    const filter = { type: 'user', subType: 'email', comparator: '=', values: ['a, or\u202E b', ...'cdefghij'] }
    expect(condition(filter, { now, maxValues: 2 })).toBe('email is “a, or\uFFFD b”, c, or 7 more')
  })
})

test.each([
  [target(everyone), 'Everyone gets A.'],
  [target(canada), 'Users where country is Canada (CA) get A.'],
  [target(everyone, half), 'Of all users, 50% get A and 50% get B.'],
  [
    target(canada, half, { ...stepped, stages: [] }),
    'Of users where country is Canada (CA), 20% are included now; of those, 50% get A and 50% get B; everyone else falls through to the next target.'
  ],
  [
    target(canada, onlyA, stepped),
    'Of users where country is Canada (CA), 20% are included now, changing to 100% on Mar 8, 2026, 12:00 UTC; they get A; everyone else falls through to the next target.'
  ],
  [
    target(canada, onlyA, {
      type: 'gradual',
      startDate: new Date(now - 123_000).toISOString(),
      startPercentage: 0.2,
      stages: [{ type: 'linear', date: '2026-03-08T12:00:00.000Z', percentage: 1 }]
    }),
    'Of users where country is Canada (CA), 20% are included now, rising to 100% by Mar 8, 2026, 12:00 UTC; they get A; everyone else falls through to the next target.'
  ],
  [
    target(everyone, onlyA, later),
    'From Mar 2, 2026, 12:00 UTC on, all users get A; until then, everyone else falls through to the next target.'
  ],
  [
    target(everyone, onlyA, {
      type: 'discrete',
      startDate: new Date(now - 1).toISOString(),
      startPercentage: 0.8,
      stages: [
        { type: 'discrete', date: '2026-03-04T12:00:00.000Z', percentage: 0.5 },
        { type: 'discrete', date: '2026-03-08T12:00:00.000Z', percentage: 1 }
      ]
    }),
    'Of all users, 80% are included now, changing to 100% by Mar 8, 2026, 12:00 UTC; they get A; everyone else falls through to the next target.'
  ],
  [target(everyone, []), 'This target serves no variation.'],
  [target({ operator: 'and', filters: [] }), 'No user matches: the target has no condition.'],
  [
    target({ operator: 'and', filters: [{ type: 'user', subType: 'country', comparator: '=', values: [] }] }),
    'Users where country is (no value yet) get A.'
  ]
])('sentence %#', (subject, expected) => expect(sentence(subject, context)).toBe(expected))

test('the sentences of a configuration', () => {
  expect(sentences(active(target(canada), target(everyone, onlyA, stepped)), context)).toEqual([
    'Users where country is Canada (CA) get A.',
    'Of all other users, 20% are included now, changing to 100% on Mar 8, 2026, 12:00 UTC; they get A; everyone else gets the default values.'
  ])
  expect(sentence({ status: 'inactive', targets: [target(canada)] }, context)).toMatch(/^Off: /)
  expect(sentence(active(), context)).toContain('without targets')
  const inBerlin = { ...context, locale: 'de', timeZone: 'Europe/Berlin' }
  expect(sentence(target(canada, onlyA, stepped), inBerlin)).toMatch(/Kanada \(CA\), 20\s%.*8\. März 2026.*13:00/)
})

test.each([
  [active(target(everyone)), { status: 'on', variation: 'a' }],
  [active(target(everyone, half)), { status: 'split', variations: ['a', 'b'] }],
  [active(target(canada), target(everyone, half)), { status: 'split', variations: ['a', 'b'] }],
  [
    active(target(everyone, onlyA, stepped)),
    { status: 'partly', share: 0.2, trend: 'rising', changesAt: STEP, isFiltered: false }
  ],
  [
    active(target(canada, onlyA, stepped)),
    { status: 'partly', share: 0.2, trend: 'rising', changesAt: STEP, isFiltered: true }
  ],
  [active(target(everyone, onlyA, later)), { status: 'scheduled', from: Date.parse(later.startDate) }],
  [active(), { status: 'partly', share: 0, trend: 'steady', isFiltered: false }],
  [{ ...active(), hasStaticConfig: true }, { status: 'on' }],
  [{ status: 'inactive' }, { status: 'off' }]
])('status %#', (configuration, expected) => expect(environmentStatus(configuration, { now })).toEqual(expected))

test.each([
  [{ status: 'archived' }, ['Archived: applications use their default values.']],
  [{ status: 'complete', staticVariation: 'b' }, ['Complete: everyone gets B.']],
  [{ status: 'complete' }, ['Complete: everyone gets the same variation.']],
  [{ status: 'active', staticVariation: 'b' }, ['Everyone gets A.']]
] as const)('describes what a feature serves by its status: %j', (feature, lines) => {
  expect(servedSentences(feature, active(target(everyone)), context)).toEqual(lines)
  const off = { ...active(target(everyone)), status: 'inactive' } as const
  const expected = feature.status === 'archived' ? lines : ['Off: applications use their default values.']
  expect(servedSentences(feature, off, context)).toEqual(expected)
})

test('a feature that is off since a kill is killed', () => {
  expect(sentence({ status: 'inactive', killedAt: '2026-03-01T12:00:00.000Z' }, context)).toBe(
    'Killed: applications use their default values.'
  )
  expect(environmentStatus({ status: 'inactive', killedAt: '2026-03-01T12:00:00.000Z' }, { now })).toEqual({
    status: 'killed',
    since: Date.UTC(2026, 2, 1, 12)
  })
})

test('a linear stage rises evenly, and a later stage can fall', () => {
  const at = (type: string, percentage: number) =>
    rolloutState({ ...stepped, stages: [{ type, percentage, date: '2026-03-29T12:00:00.000Z' }] }, now)
  expect(at('linear', 1)).toMatchObject({ share: expect.closeTo(0.6), trend: 'rising' })
  expect(at('discrete', 0)).toMatchObject({ share: 0.2, trend: 'falling' })
})

test('changes are matched by id', () => {
  const [one, two] = [
    { ...target(canada), name: 'Canada first' },
    { ...target(everyone), _id: '2', name: 'Rest' }
  ]
  expect(changeSentences({ status: 'inactive', targets: [one] }, active(one, two), context)).toEqual([
    'Turned on.',
    'Added target 2, Rest. Everyone else gets A.'
  ])
  expect(changeSentences(active(one, two), active(two), context)).toEqual(['Removed target 1, “Canada first”.'])
  expect(changeSentences(active(one, two), active(two, one), context)[0]).toBe(
    'Moved target Rest from position 2 to 1.'
  )
  expect(changeSentences(active(two), active({ ...two, distribution: half }), context)).toEqual([
    'Changed target Rest. Before: Everyone gets A. After: Of all users, 50% get A and 50% get B.'
  ])
  expect(changeSentences(active(two), active({ ...two, name: 'All' }), context)).toEqual([
    'Changed name, values or bucketing key of target All.'
  ])
})

test('changes that the sentences of targets do not cover have their own', () => {
  const own = { ...target(everyone), name: 'Rest' }
  const change = (before: object, after: object) =>
    changeSentences(active({ ...own, ...before }), active({ ...own, ...after }), context)
  const week = { type: 'gradual', startDate: '2026-03-01T12:00:00.000Z', startPercentage: 1 }
  const stages = [{ type: 'linear', percentage: 1, date: '2026-03-08T12:00:00.000Z' }]
  expect(change({}, { rollout: { ...week, stages } })).toEqual([
    'Changed target Rest. Before: everyone. After: 100% from Mar 1, 2026, 12:00 UTC, 100% by Mar 8, 2026, 12:00 UTC.'
  ])
  const steps = (percentage: number) => ({
    rollout: {
      ...stepped,
      stages: [{ type: 'discrete', percentage, date: '2026-03-04T12:00:00.000Z' }, ...stepped.stages]
    }
  })
  const [moved] = change(steps(0.4), steps(0.5))
  expect(moved).toContain('After: 20% from Feb 1, 2026, 12:00 UTC, 50% from Mar 4, 2026, 12:00 UTC, 100% from Mar 8')
  expect(change({}, { rollout: null })).toEqual([])
  expect(change({}, { bucketingKey: 'company' })).toEqual(['Changed name, values or bucketing key of target Rest.'])
  const countries = (last: string) => ({
    audience: {
      filters: {
        operator: 'and',
        filters: [{ ...canada.filters[0], values: ['CA', 'US', 'DE', 'FR', 'IT', last] }]
      }
    }
  })
  expect(change(countries('ES'), countries('PT'))).toEqual(['Changed name, values or bucketing key of target Rest.'])
})

test('a changed target is described at its place', () => {
  const [one, two] = [
    { ...target(canada), name: 'Canada' },
    { ...target(everyone), _id: '2', name: 'Rest' }
  ]
  const part = { ...two, rollout: { ...stepped, stages: [] } }
  expect(changeSentences(active(one, two), active(one, part), context)).toEqual([
    'Changed target Rest. Before: Everyone else gets A. After: Of all other users, 20% are included now; they get A; everyone else gets the default values.'
  ])
  // What follows it has changed, it has not.
  expect(changeSentences(active(part), active(part, { ...one, _id: '3' }), context)).toEqual([
    'Added target 2, Canada. Users where country is Canada (CA) get A; everyone else gets the default values.'
  ])
})

test('warnings', () => {
  const [filter] = canada.filters
  const mixed = { operator: 'and', filters: [filter, filter, { ...filter, comparator: '!=' }] }
  const any = { operator: 'or', filters: [{ type: 'all' }, { type: 'audienceMatch', _audiences: ['beta'] }] }
  const options = {
    now,
    emptyAudiences: new Set(['beta']),
    variations: [
      { key: 'a', variables: { x: 1 } },
      { key: 'b', variables: {} }
    ]
  }
  const warnings = targetWarnings(active(target(mixed), target(any), target(canada)), options)
  expect(warnings).toEqual([
    { code: 'duplicateCondition', target: 0, path: [1], other: [0] },
    { code: 'contradiction', target: 0, path: [2], other: [0] },
    { code: 'everyoneInAny', target: 1, path: [0] },
    { code: 'emptyAudience', target: 1, path: [1], audience: 'beta' },
    { code: 'neverReached', target: 2, by: 1 },
    { code: 'missingValue', variation: 'b', variables: ['x'] }
  ])
  expect(warnings.map((warning) => warningSentence(warning, context))).toContain(
    'No user reaches this target: target 2 serves them all.'
  )
  expect(targetWarnings(active(target(everyone, onlyA, stepped), target(canada)), { now })).toEqual([])
})

test('a target for the users of an earlier target that serves all of them is never reached', () => {
  const share = { type: 'discrete', startDate: new Date(now - 1).toISOString(), startPercentage: 0.2 }
  const warnings = targetWarnings(active(target(canada), target(canada, onlyA, share)), { now })
  expect(warnings).toEqual([{ code: 'neverReached', target: 1, by: 0 }])
  expect(warnings.map((warning) => warningSentence(warning, context))).toEqual([
    'No user reaches this target: target 1 serves them all.'
  ])
  expect(targetWarnings(active(target(canada, onlyA, share), target(canada)), { now })).toEqual([])
})

test('a rollout that stays at its share does not change', () => {
  const at = (days: number) => new Date(now + days * 86_400_000).toISOString()
  const stages = [{ type: 'linear', percentage: 1, date: at(7) }]
  expect(rolloutState({ type: 'gradual', startDate: at(-1), startPercentage: 1, stages }, now)).toEqual({
    share: 1,
    trend: 'steady'
  })
})

test('words exist for any data', () => {
  const filter = fc.letrec((tie) => ({
    node: fc.oneof(
      fc.anything(),
      fc.record({
        type: fc.constantFrom('user', 'audienceMatch', 'all', 7),
        subType: fc.constantFrom('country', 'toString'),
        comparator: fc.constantFrom('=', 'constructor', '!'),
        values: fc.anything(),
        _audiences: fc.array(fc.anything())
      }),
      fc.record({ operator: fc.constantFrom('and', 'or', 'not'), filters: fc.array(tie('node'), { maxLength: 3 }) })
    )
  })).node
  const one = fc.record({
    audience: fc.record({ filters: filter }),
    distribution: fc.oneof(fc.constant(half), fc.anything()),
    rollout: fc.oneof(fc.anything(), fc.constant(stepped))
  })
  const any = fc.oneof(
    fc.anything(),
    fc.record({ status: fc.constant('active'), targets: fc.array(fc.oneof(one, fc.anything())) })
  )
  fc.assert(
    fc.property(any, any, (left, right) => {
      const [before, after] = [left as object, right as object]
      expect(sentence(before, context)).toMatch(/./)
      changeSentences(before, after, context)
      expect(environmentStatus(before, { now }).status).toMatch(/./)
      for (const warning of targetWarnings(before, { now })) expect(warningSentence(warning, context)).toMatch(/./)
    }),
    { numRuns: 300 }
  )
})

test('a rollout with the same stage twice is described once', () => {
  const at = '2026-11-30T00:00:00.000Z'
  const one = { type: 'stepped', startDate: at, startPercentage: 0.2, stages: [] }
  const twice = { ...one, stages: [{ type: 'discrete', date: at, percentage: 0.2 }] }
  expect(rolloutWords(twice, context)).toBe(rolloutWords(one, context))
})
