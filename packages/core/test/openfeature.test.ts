import { expect, test } from 'vitest'
import { compile, ofrepFlag, ofrepFlags, recompile, toUser } from '../src/index.ts'
import { configWith, featureWith, targetWith, variationWith } from './configs.ts'

const halves = [
  { _variation: 'a', percentage: 0.5 },
  { _variation: 'b', percentage: 0.5 }
]

const names = ['split', 'off', 'country', 'broken']
const variables = [...names, 'lonely'].map((key) => ({ _id: key, key, type: 'String' as const }))
const country = { type: 'user', subType: 'country', comparator: '=', values: ['CA'] }
const targets = {
  split: targetWith({ distribution: halves }),
  off: targetWith({ filters: { operator: 'or', filters: [] } }),
  country: targetWith({ filters: { operator: 'and', filters: [country] } }),
  broken: targetWith({ distribution: [] })
}

const config = configWith({
  features: Object.entries(targets).map(([key, target]) =>
    featureWith({
      _id: `id of ${key}`,
      key,
      variations: ['a', 'b'].map((name) => variationWith(name, key)),
      targets: [target]
    })
  ),
  variables
})
const evaluator = compile(config)

test('answers one flag with its value, variant, reason and where it comes from', () => {
  expect(ofrepFlag(evaluator, { user: { user_id: 'user1' } }, 'split')).toEqual({
    key: 'split',
    value: expect.stringMatching(/^[ab]$/),
    variant: expect.stringMatching(/^[ab]$/),
    reason: 'SPLIT',
    metadata: {
      _feature: 'id of split',
      evalReasonDetails: 'Random Distribution | All Users',
      evalReasonTargetId: 'target'
    }
  })
})

test('calls an override a fixed value', () => {
  const options = { overrides: { 'id of off': 'b' } }
  expect(ofrepFlag(evaluator, { user: { user_id: 'u' } }, 'off', options)).toMatchObject({
    reason: 'STATIC',
    value: 'b'
  })
})

test('answers all flags in order of key, each with its own success or failure', () => {
  const { flags } = ofrepFlags(evaluator, toUser({ targetingKey: 'u', country: 'CA' }))
  expect(flags).toMatchObject([
    { key: 'broken', errorCode: 'PARSE_ERROR', errorDetails: expect.stringContaining('broken') },
    { key: 'country', reason: 'TARGETING_MATCH', value: 'a' },
    { key: 'lonely', reason: 'DISABLED' },
    { key: 'off', reason: 'DEFAULT' },
    { key: 'split', reason: 'SPLIT' }
  ])
  expect(flags[2]).not.toHaveProperty('value')
  expect(flags[3]).not.toHaveProperty('value')
})

test('answers FLAG_NOT_FOUND and TARGETING_KEY_MISSING by those names', () => {
  expect(ofrepFlag(evaluator, { user: { user_id: 'u' } }, 'nowhere')).toMatchObject({ errorCode: 'FLAG_NOT_FOUND' })
  expect(ofrepFlag(evaluator, toUser({ country: 'CA' }), 'split')).toMatchObject({
    errorCode: 'TARGETING_KEY_MISSING'
  })
  expect(ofrepFlag(evaluator, toUser({ country: 'CA' }), 'country')).toMatchObject({ value: 'a' })
})

test('says what is wrong with a targeting key, and tags the answer that says it', () => {
  const wrong = ofrepFlags(evaluator, toUser({ user_id: 5 }), { now: 0 })
  const missing = ofrepFlags(evaluator, toUser({}), { now: 0 })
  expect(wrong.flags.at(-1)).toMatchObject({ key: 'split', errorDetails: 'user_id should be a string, got 5' })
  expect(wrong.fingerprint).not.toBe(missing.fingerprint)
})

test('gives clients that need a value the one of the off variation, when the config has them', () => {
  const generous = compile({
    ...config,
    offValues: { off: { variant: 'b', value: 'b' }, lonely: { variant: 'x', value: 1 } }
  })
  expect(ofrepFlag(generous, { user: { user_id: 'u' } }, 'off')).toEqual({
    key: 'off',
    reason: 'DEFAULT',
    variant: 'b',
    value: 'b'
  })
  expect(ofrepFlag(generous, { user: { user_id: 'u' } }, 'lonely')).toMatchObject({ reason: 'DISABLED', value: 1 })
})

test('tags an answer by what is in it', () => {
  const fingerprint = (context: object) => ofrepFlags(evaluator, toUser(context), { now: 0 }).fingerprint
  expect(fingerprint({ targetingKey: 'u' })).toMatch(/^[0-9a-f]{16}$/)
  expect(fingerprint({ targetingKey: 'u', plan: 'pro' })).toBe(fingerprint({ targetingKey: 'u' }))
  expect(fingerprint({ targetingKey: 'u', country: 'CA' })).not.toBe(fingerprint({ targetingKey: 'u' }))
})

test.each([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN])(
  'reads %d in a context as JSON would bring it: not at all',
  (n) => {
    const given = { targetingKey: 'u', n, appBuild: n, customData: { m: n, one: 1 }, privateCustomData: { p: n } }
    expect(toUser(given)).toEqual({ user: { user_id: 'u', customData: { one: 1 } } })
    const large = {
      type: 'user',
      subType: 'customData',
      dataKey: 'n',
      dataKeyType: 'Number',
      comparator: '!=',
      values: [3]
    }
    const feature = featureWith({
      variations: ['a', 'b'].map((name) => variationWith(name, 'variable')),
      targets: [targetWith({ filters: { operator: 'and', filters: [large] } })]
    })
    const asked = (context: object) =>
      ofrepFlag(compile(configWith({ features: [feature] })), toUser(context), 'variable')
    expect(asked(given)).toEqual(asked(JSON.parse(JSON.stringify(given))))
  }
)

test('tells the metadata of a variable and where its value comes from, the same object for the same resolution', () => {
  const metadata = { owner: 'web', _feature: 'taken', nested: { a: 1 } }
  const named = variables.map((variable) => ({ ...variable, metadata: metadata as never }))
  const of = compile({ ...config, variables: named })
  const [one, other] = ['ada', 'lee'].map((id) => ofrepFlag(of, { user: { user_id: id, country: 'CA' } }, 'country'))
  expect(one).toMatchObject({ metadata: { owner: 'web', _feature: 'id of country', evalReasonTargetId: 'target' } })
  expect(one).not.toHaveProperty('metadata.nested')
  expect(other).toBe(one)
  expect(Object.isFrozen(one)).toBe(true)
  expect(ofrepFlag(of, { user: { user_id: 'u' } }, 'off')).toEqual({
    key: 'off',
    reason: 'DEFAULT',
    metadata: { owner: 'web' }
  })
})

test('tells STATIC or not by the state that is asked, though a resolution outlives it', () => {
  const everybody = targetWith({})
  const plain = featureWith({
    _id: 'plain',
    key: 'plain',
    variations: [variationWith('a', 'split')],
    targets: [everybody]
  })
  const above = featureWith({
    _id: 'above',
    key: 'above',
    variations: [variationWith('a', 'split')],
    targets: [targetWith({ filters: { operator: 'and', filters: [country] } })]
  })
  const alone = recompile(configWith({ features: [plain], variables }), undefined)
  const beneath = recompile(configWith({ features: [plain, above], variables }), alone)
  const ask = (of: typeof alone) => ofrepFlag(of, { user: { user_id: 'u' } }, 'split')
  expect(ask(alone)).toMatchObject({ reason: 'STATIC' })
  expect(ask(beneath)).toMatchObject({ reason: 'TARGETING_MATCH' })
  expect(ask(alone)).toMatchObject({ reason: 'STATIC' })
})

test.each([
  ['a number beyond JSON', 5n, 'bigint'],
  ['a value that contains itself', loop(), 'object'],
  ['a function', () => 'ada', 'function']
])('a targeting key that is %s is refused as any other, and nothing throws', (_, targetingKey, shown) => {
  const { error } = toUser({ targetingKey })
  expect(error?.message).toBe(`targetingKey should be a string, got ${shown}`)
})

function loop(): object {
  const value: { self?: object } = {}
  value.self = value
  return value
}
