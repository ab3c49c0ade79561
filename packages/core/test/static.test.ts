import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Config,
  compile,
  type Feature,
  type OfrepFlag,
  type Operator,
  ofrepFlag,
  ofrepFlags,
  recompile,
  type Target,
  toUser
} from '../src/index.ts'
import { allUsers, configWith, featureWith, targetWith, variationWith } from './configs.ts'

const email = { type: 'user', subType: 'email', comparator: '=', values: ['a@b.c'] }
const all = { type: 'all' }
const noUsers: Operator = { operator: 'or', filters: [] }
const halves = [
  { _variation: 'a', percentage: 0.5 },
  { _variation: 'b', percentage: 0.5 }
]
const started = { type: 'schedule', startDate: '2020-01-01T00:00:00.000Z' }

function reasonOf(config: Config, context: object = { targetingKey: 'u' }): string | undefined {
  const flag = ofrepFlag(compile(config), toUser(context), 'variable')
  return 'reason' in flag ? flag.reason : flag.errorCode
}

function served(...targets: Target[]): Config {
  return configWith({ features: [featureWith({ targets })] })
}

describe('reports STATIC', () => {
  test.each<[string, Config]>([
    ['if the only target serves all users', served(targetWith({}))],
    [
      'if the first target serves all users',
      served(targetWith({}), targetWith({ filters: { operator: 'or', filters: [email] } }))
    ],
    ['if the filter for all users is nested', served(targetWith({ filters: { operator: 'or', filters: [allUsers] } }))],
    ['for a user without an id', served(targetWith({}))],
    [
      'if the feature with the highest precedence serves all users',
      configWith({
        features: [
          featureWith({ _id: 'f0', key: 'f0', targets: [targetWith({ distribution: halves })] }),
          featureWith({})
        ]
      })
    ]
  ])('%s', (_where, config) => {
    expect(reasonOf(config)).toBe('STATIC')
    expect(reasonOf(config, {})).toBe('STATIC')
  })
})

describe('does not report STATIC', () => {
  const serveA = variationWith('a', 'variable')
  test.each<[string, Config, string]>([
    ['if a distribution splits users', served(targetWith({ distribution: halves })), 'SPLIT'],
    ['if there is a rollout, even at 100 %', served(targetWith({ rollout: started })), 'SPLIT'],
    ['if the rollout is null', served(targetWith({ rollout: null })), 'SPLIT'],
    [
      'if another target is first',
      served(targetWith({ _id: 'first', filters: noUsers }), targetWith({})),
      'TARGETING_MATCH'
    ],
    [
      'if another filter can match',
      served(targetWith({ filters: { operator: 'or', filters: [email, all] } })),
      'TARGETING_MATCH'
    ],
    [
      'if another feature has a higher precedence',
      configWith({
        features: [featureWith({}), featureWith({ _id: 'f2', key: 'f2', targets: [targetWith({ filters: noUsers })] })]
      }),
      'TARGETING_MATCH'
    ],
    [
      'if the variation for all users has no value for the variable',
      configWith({
        features: [
          featureWith({}),
          featureWith({
            _id: 'f2',
            key: 'f2',
            variations: [{ ...serveA, variables: [] }, variationWith('b', 'variable')]
          })
        ]
      }),
      'TARGETING_MATCH'
    ]
  ])('%s', (_where, config, reason) => {
    expect(reasonOf(config)).toBe(reason)
  })
})

const filters: fc.Arbitrary<Operator> = fc.letrec<{ operator: Operator }>((tie) => ({
  operator: fc.record({
    operator: fc.constantFrom('and', 'or', 'xor'),
    filters: fc.array(fc.oneof({ maxDepth: 2 }, fc.constantFrom(all, all, email), tie('operator')), { maxLength: 2 })
  })
})).operator

const target: fc.Arbitrary<Target> = fc
  .tuple(
    fc.nat(9),
    filters,
    fc.constantFrom(
      [{ _variation: 'a', percentage: 1 }],
      [{ _variation: 'gone', percentage: 1 }],
      [{ _variation: 'b', percentage: 0.5 }],
      halves
    ),
    fc.option(fc.constantFrom(null, started, { ...started, startDate: '2026-01-01T00:00:00.000Z' }), { nil: undefined })
  )
  .map(([id, given, distribution, rollout]) => {
    return targetWith({ _id: `t${id}`, filters: given, distribution, ...(rollout === undefined ? {} : { rollout }) })
  })

const feature = fc
  .tuple(fc.array(target, { maxLength: 2 }), fc.constantFrom('variable', 'other'))
  .map(([targets, variableKeys]) => (index: number): Feature => {
    const variations = [variationWith('a', variableKeys), variationWith('b', 'variable')]
    return featureWith({ _id: `f${index}`, key: `f${index}`, targets, variations })
  })

test('does not report STATIC if the feature with the highest precedence fails', () => {
  const broken = [
    {
      ...variationWith('a', 'variable'),
      variables: [
        { _var: 'variable', value: 1 },
        { _var: 'gone', value: 1 }
      ]
    }
  ]
  const targeted = targetWith({ filters: { operator: 'or', filters: [email] } })
  const features = [featureWith({ targets: [targeted] }), featureWith({ _id: 'f2', key: 'f2', variations: broken })]
  expect(reasonOf(configWith({ features }), { targetingKey: 'u', email: 'a@b.c' })).toBe('TARGETING_MATCH')
})

const variables = ['variable', 'other'].map((key) => ({ _id: key, key, type: 'String' as const }))
const document: fc.Arbitrary<Config> = fc
  .array(feature, { maxLength: 3 })
  .map((features) => configWith({ features: features.map((made, index) => made(index)), variables }))

const context = fc.record({
  targetingKey: fc.option(fc.string({ maxLength: 5 }), { nil: undefined }),
  email: fc.constantFrom('a@b.c', 'x')
})
const moment = fc.date({ min: new Date('2019-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }).map(Number)

function isStatic(flag: OfrepFlag): boolean {
  return 'reason' in flag && flag.reason === 'STATIC'
}

test('a STATIC flag is the same for all users at any time, alone or in bulk, compiled or recompiled', () => {
  fc.assert(
    fc.property(document, document, context, moment, context, moment, (one, before, first, start, second, later) => {
      const config = { ...one, variables }
      const evaluators = [compile(config), recompile(config, recompile({ ...before, variables }, undefined))]
      for (const evaluator of evaluators) {
        const { flags } = ofrepFlags(evaluator, toUser(first), { now: start })
        for (const flag of flags) {
          expect(ofrepFlag(evaluator, toUser(first), flag.key, { now: start })).toEqual(flag)
          const other = ofrepFlag(evaluator, toUser(second), flag.key, { now: later })
          if (isStatic(flag)) expect(other).toEqual(flag)
          else expect(isStatic(other)).toBe(false)
        }
      }
    }),
    { numRuns: 2_000 }
  )
})

describe('flag metadata', () => {
  const metadata = { owner: 'team', weight: 2, isNew: true, _feature: 'mine' }
  const withMetadata = (config: Config) => ({ ...config, variables: [{ ...variables[0]!, metadata }] })

  test('combines the metadata of the variable and of the evaluation, which takes precedence', () => {
    const flag = ofrepFlag(compile(withMetadata(served(targetWith({})))), toUser({}), 'variable')
    expect(flag).toMatchObject({
      metadata: { owner: 'team', weight: 2, isNew: true, _feature: 'f1', evalReasonTargetId: 'target' }
    })
  })

  test('is present if the flag has no value', () => {
    for (const config of [served(), configWith({})]) {
      const flag = ofrepFlag(compile(withMetadata(config)), toUser({}), 'variable')
      expect(flag).toMatchObject({ metadata: { owner: 'team', weight: 2, isNew: true } })
      expect(flag).not.toHaveProperty('metadata._feature')
    }
  })

  test.each([[undefined], [null], ['text'], [[]], [{}], [{ deep: { x: 1 }, list: [1], none: null }]])(
    'is absent for the variable metadata %j',
    (given) => {
      const config = { ...configWith({}), variables: [{ ...variables[0]!, metadata: given as never }] }
      expect(ofrepFlag(compile(config), toUser({}), 'variable')).toEqual({ key: 'variable', reason: 'DISABLED' })
    }
  )
})
