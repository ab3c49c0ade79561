import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ClientQuery,
  EvaluationRequest,
  EventUser,
  hasPlainAttributes,
  isPlainClientQuery,
  isPlainEvaluationRequest,
  isPlainEvent,
  isPlainUser,
  SdkEvent,
  User
} from '../src/schemas.ts'

const text = fc.constantFrom('', ' ', 'ada', 'CA', 'en', 'XX', 'x'.repeat(201), 'x'.repeat(16_385), '1.2.3', 'true')
const scalar = fc.oneof(text, fc.constantFrom(0, -1.5, Number.POSITIVE_INFINITY, true, false, null, undefined))
const data = fc.oneof(
  scalar,
  fc.dictionary(text, fc.oneof(scalar, fc.constant([]), fc.constant({})), { maxKeys: 3 }),
  fc.constantFrom(
    [],
    ['a'],
    '{"plan":"pro"}',
    Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [index, 1]))
  )
)
const names = [...Object.keys(User.shape), 'unknown', 'optIns', 'toString', 'constructor']
const body = fc.oneof(
  { weight: 1, arbitrary: data },
  { weight: 9, arbitrary: fc.dictionary(fc.constantFrom(...names), data, { maxKeys: 5, noNullPrototype: true }) },
  {
    weight: 9,
    arbitrary: fc
      .dictionary(fc.constantFrom(...names), data, { maxKeys: 3, noNullPrototype: true })
      .map((members) => ({ user_id: 'ada', ...members }))
  }
)

test('every plain user is accepted by the schema, unchanged', () => {
  fc.assert(
    fc.property(body, (value) => {
      if (isPlainUser(value)) expect(User.safeParse(value)).toEqual({ success: true, data: value })
    }),
    { numRuns: 5_000 }
  )
})

const clientQuery = {
  ...{ user_id: 'ada', platform: 'web', platformVersion: '1', deviceModel: 'x', sdkType: 'client', sdkVersion: '1' },
  ...{ createdDate: '1772366400000', lastSeenDate: '2026-03-01T12:00:00Z', isAnonymous: 'false', sdkKey: 'client-a' }
}

test('every plain query of a client SDK is accepted by the schema, unchanged', () => {
  const value = fc.oneof(
    text,
    fc.constantFrom<unknown>(
      'client',
      'mobile',
      'api',
      '1',
      'NaN',
      'soon',
      'false',
      '{',
      '{"a":[]}',
      '{"__proto__":1}'
    ),
    fc.constantFrom<unknown>('{"plan":"pro"}', `{"a":"${'x'.repeat(16_385)}"}`, ['a', 'b'], undefined, null, 1)
  )
  const queryNames = [...Object.keys(ClientQuery.shape), 'unknown', 'optIns', 'toString', 'constructor', '__proto__']
  const changes = fc.dictionary(fc.constantFrom(...queryNames), value, { maxKeys: 4 })
  const removed = fc.subarray(Object.keys(clientQuery), { maxLength: 1 })
  fc.assert(
    fc.property(changes, removed, (changed, names) => {
      // As `node:querystring` returns it.
      const query = Object.assign(Object.create(null), clientQuery, changed)
      for (const name of names) delete query[name]
      if (isPlainClientQuery(query)) expect({ ...ClientQuery.parse(query) }).toEqual({ ...query })
    }),
    { numRuns: 5_000 }
  )
})

test.each<readonly [string, object, boolean]>([
  ['what SDKs always send', {}, true],
  [
    'attributes',
    { country: 'CA', email: 'a@b.c', appVersion: '1.2.3', appBuild: '7', customData: '{"plan":"p"}' },
    true
  ],
  ['a stream message', { sse: '1', sseLastModified: '1', sseEtag: '"1-a"' }, true],
  ['an unknown parameter', { sdkPlatform: 'js' }, true],
  ['a repeated parameter', { user_id: ['ada', 'bob'] }, false],
  ['an option', { enableEdgeDB: 'true' }, false],
  ['obfuscation', { obfuscated: '1' }, false],
  ['no date', { createdDate: '' }, false]
])('a query with %s is plain or is left to the schema', (_, members, isPlain) => {
  expect(isPlainClientQuery({ ...clientQuery, ...members })).toBe(isPlain)
})

test('every plain event is accepted by the schema, unchanged', () => {
  const long = 'x'.repeat(1_001)
  const member = fc.oneof(data, fc.constantFrom<unknown>(long, { a: long }, { a: 'b' }, '2026-01-01T00:00:00Z', '12'))
  const eventNames = [...Object.keys(SdkEvent.shape), 'unknown', 'toString', 'constructor']
  const members = fc.dictionary(fc.constantFrom(...eventNames), member, { maxKeys: 4, noNullPrototype: true })
  fc.assert(
    fc.property(
      fc.oneof(
        data,
        members,
        members.map((some) => ({ type: 'a', ...some }))
      ),
      (value) => {
        if (isPlainEvent(value)) expect(SdkEvent.safeParse(value)).toEqual({ success: true, data: value })
      }
    ),
    { numRuns: 3_000 }
  )
})

test.each<readonly [string, object, boolean]>([
  ['a number as date', { date: 1, customType: null }, true],
  ['a text as date', { date: '12' }, false],
  ['metadata of two levels', { metaData: { _variation: 'b', eval: { DEFAULT: 1 }, isNew: true } }, true],
  ['metadata of three levels', { metaData: { a: { b: {} } } }, false],
  ['metadata with a list', { metaData: { a: [] } }, false],
  ['metadata whose JSON could be too long', { metaData: { a: 'x'.repeat(5_500) } }, false],
  ['an unknown member', { other: 1 }, false]
])('an event with %s is plain or is left to the schema', (_, members, isPlain) => {
  const event = { type: 'variableEvaluated', target: 'a', value: 1, featureVars: { a: 'b' } }
  expect([isPlainEvent(event), isPlainEvent({ ...event, ...members })]).toEqual([true, isPlain])
})

test('every user of events with plain attributes is accepted by the schema, if the other members are', () => {
  const long = 'x'.repeat(1_001)
  const attributes = fc.record(
    {
      user_id: fc.oneof(fc.constantFrom<unknown>('ada', long), scalar),
      platform: fc.oneof(fc.constantFrom<unknown>('web', long), scalar),
      sdkType: fc.oneof(fc.constantFrom<unknown>('api', 'server', 'client', 'mobile', 'desktop'), scalar),
      sdkVersion: fc.oneof(fc.constantFrom<unknown>('1.2.3', long), scalar)
    },
    { requiredKeys: [] }
  )
  fc.assert(
    fc.property(attributes, (value) => {
      if (hasPlainAttributes(value)) expect(EventUser.safeParse(value)).toEqual({ success: true, data: value })
    }),
    { numRuns: 3_000 }
  )
  expect([hasPlainAttributes({ user_id: 'ada', sdkType: 'api' }), hasPlainAttributes({ user_id: ' ' })]).toEqual([
    true,
    false
  ])
})

test('every plain evaluation request is accepted by the schema, unchanged', () => {
  const context = fc.dictionary(
    fc.constantFrom('targetingKey', 'userHash', 'customData', 'privateCustomData', 'a'),
    data,
    {
      noNullPrototype: true
    }
  )
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`a${index}`, index]))
  const request = fc.oneof(data, fc.record({ context: fc.oneof(context, data, fc.constant(many)), other: data }))
  fc.assert(
    fc.property(request, (value) => {
      if (isPlainEvaluationRequest(value)) {
        expect(EvaluationRequest.safeParse(value)).toEqual({ success: true, data: value })
      }
    }),
    { numRuns: 3_000 }
  )
  expect(isPlainEvaluationRequest({ context: { targetingKey: 'ada', plan: 'pro', list: [1] } })).toBe(true)
})

test.each<readonly [string, object]>([
  ['only an id', { user_id: 'ada' }],
  ['attributes', { user_id: 'ada', email: 'a@b.c', country: 'ca', language: 'en', appVersion: '1.2.3', appBuild: 7 }],
  ['null', { user_id: 'ada', name: null, customData: null }],
  ['custom data', { user_id: 'ada', customData: { plan: 'pro', seats: 2, isNew: true, left: null } }],
  ['other members', { user_id: 'ada', other: { deep: [1] } }]
])('a user with %s is plain', (_, value) => {
  expect(isPlainUser(value)).toBe(true)
})

test.each<readonly [string, unknown]>([
  ['no id', {}],
  ['null as id', { user_id: null }],
  ['a text as build', { user_id: 'ada', appBuild: '7' }],
  ['custom data as text', { user_id: 'ada', customData: '{}' }],
  ['an SDK type', { user_id: 'ada', sdkType: 'api' }]
])('a user with %s is left to the schema', (_, value) => {
  expect(isPlainUser(value)).toBe(false)
})
