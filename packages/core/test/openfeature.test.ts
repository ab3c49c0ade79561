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

test('returns the value, variant, reason and metadata of one flag', () => {
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

test('reports the reason STATIC for an override', () => {
  const options = { overrides: { 'id of off': 'b' } }
  expect(ofrepFlag(evaluator, { user: { user_id: 'u' } }, 'off', options)).toMatchObject({
    reason: 'STATIC',
    value: 'b'
  })
})

test('returns all flags in the order of keys, each as a success or a failure', () => {
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

test('returns the error codes FLAG_NOT_FOUND and TARGETING_KEY_MISSING', () => {
  expect(ofrepFlag(evaluator, { user: { user_id: 'u' } }, 'nowhere')).toMatchObject({ errorCode: 'FLAG_NOT_FOUND' })
  expect(ofrepFlag(evaluator, toUser({ country: 'CA' }), 'split')).toMatchObject({
    errorCode: 'TARGETING_KEY_MISSING'
  })
  expect(ofrepFlag(evaluator, toUser({ country: 'CA' }), 'country')).toMatchObject({ value: 'a' })
})

test('reports what is wrong with a targeting key, in the fingerprint too', () => {
  const wrong = ofrepFlags(evaluator, toUser({ user_id: 5 }), { now: 0 })
  const missing = ofrepFlags(evaluator, toUser({}), { now: 0 })
  expect(wrong.flags.at(-1)).toMatchObject({ key: 'split', errorDetails: 'user_id should be a string, got 5' })
  expect(wrong.fingerprint).not.toBe(missing.fingerprint)
})

test('returns the values of off variations if the config has them', () => {
  const withOffValues = compile({
    ...config,
    offValues: { off: { variant: 'b', value: 'b' }, lonely: { variant: 'x', value: 1 } }
  })
  expect(ofrepFlag(withOffValues, { user: { user_id: 'u' } }, 'off')).toEqual({
    key: 'off',
    reason: 'DEFAULT',
    variant: 'b',
    value: 'b'
  })
  expect(ofrepFlag(withOffValues, { user: { user_id: 'u' } }, 'lonely')).toMatchObject({ reason: 'DISABLED', value: 1 })
})

test('returns a fingerprint of the flags', () => {
  const fingerprint = (context: object) => ofrepFlags(evaluator, toUser(context), { now: 0 }).fingerprint
  expect(fingerprint({ targetingKey: 'u' })).toMatch(/^[0-9a-f]{16}$/)
  expect(fingerprint({ targetingKey: 'u', plan: 'pro' })).toBe(fingerprint({ targetingKey: 'u' }))
  expect(fingerprint({ targetingKey: 'u', country: 'CA' })).not.toBe(fingerprint({ targetingKey: 'u' }))
})

test.each([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN])(
  'ignores %d in a context, since JSON cannot represent it',
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

test('returns the same frozen object, with metadata, for the same resolution', () => {
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

test('reports the reason of the current config, even if a resolution is reused', () => {
  const allUsers = targetWith({})
  const plain = featureWith({
    _id: 'plain',
    key: 'plain',
    variations: [variationWith('a', 'split')],
    targets: [allUsers]
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
  ['a number', 5, '5'],
  ['zero', 0, '0'],
  ['a boolean', false, 'false'],
  ['null', null, 'null'],
  ['an object', { id: 'ada' }, '{"id":"ada"}'],
  ['a bigint', 5n, 'bigint'],
  ['a circular object', loop(), 'object'],
  ['a function', () => 'ada', 'function']
])('reports an error for a targeting key that is %s', (_, targetingKey, shown) => {
  const { error } = toUser({ targetingKey })
  expect(error).toEqual({ code: 'INVALID_CONTEXT', message: `targetingKey should be a string, got ${shown}` })
})

function loop(): object {
  const value: { self?: object } = {}
  value.self = value
  return value
}

test('leaves the signature of the user out of the attributes', () => {
  const context = { targetingKey: 'ada', userHash: 'signed', privateCustomData: { userHash: 'signed', plan: 'pro' } }
  expect(toUser(context)).toEqual({ user: { user_id: 'ada', privateCustomData: { plan: 'pro' } } })
  const { user } = toUser({ targetingKey: 'ada', userHash: 'signed', privateCustomData: { userHash: 'signed' } })
  expect(user).toEqual({ user_id: 'ada' })
})
