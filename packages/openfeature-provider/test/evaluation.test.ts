import { expect, test } from 'vitest'
import { staticSource } from '../src/index.ts'
import { configOf, featureOf, targetOf } from './support/configs.ts'
import { bind } from './support/harness.ts'

const half = targetOf('half', undefined, {
  distribution: [
    { _variation: 'on', percentage: 0.5 },
    { _variation: 'off', percentage: 0.5 }
  ]
})
const germans = targetOf('germans', {
  operator: 'and',
  filters: [{ type: 'user', subType: 'country', comparator: '=', values: ['DE'] }]
})
const split = featureOf('split', { split: 'yes' }, [half])
const config = configOf(
  {
    text: 'a',
    zero: 0,
    huge: 2 ** 53 - 1,
    tiny: 5e-324,
    yes: true,
    no: false,
    object: { a: [1] },
    list: [1],
    nothing: null,
    empty: ''
  },
  {
    features: [
      { ...split, variations: [...split.variations, { ...split.variations[0]!, _id: 'off', key: 'variation-off' }] },
      featureOf('targeted', { targeted: 'hallo' }, [germans])
    ]
  }
)
const more = ['split', 'targeted', 'unserved', 'disabled', 'withOff'].map((key) => {
  return {
    _id: `id-${key}`,
    key,
    type: 'String' as const,
    ...(key === 'disabled' ? { metadata: { owner: 'web' } } : {})
  }
})
const source = () => {
  return staticSource({
    ...config,
    variables: [...config.variables, ...more],
    offValues: { withOff: { variant: 'off', value: 'off' } }
  })
}

type Kind = 'Boolean' | 'String' | 'Number' | 'Object'

// biome-ignore lint/suspicious/noExplicitAny: the four methods differ in their default's type only.
const ask = async (client: any, kind: Kind, key: string, defaultValue: unknown, context = {}) => {
  return client[`get${kind}Details`](key, defaultValue, context)
}

test.each<[Kind, string, unknown, unknown]>([
  ['String', 'text', 'x', 'a'],
  ['String', 'empty', 'x', ''],
  ['Number', 'zero', 1, 0],
  ['Number', 'huge', 1, 9_007_199_254_740_991],
  ['Number', 'tiny', 1, 5e-324],
  ['Boolean', 'yes', false, true],
  ['Boolean', 'no', true, false],
  ['Object', 'object', {}, { a: [1] }],
  ['Object', 'list', {}, [1]],
  ['Object', 'nothing', {}, null]
])('%s %s', async (kind, key, defaultValue, value) => {
  const { client } = await bind({ source: source() })
  const details = await ask(client, kind, key, defaultValue)
  expect(details).toMatchObject({ value, variant: 'variation-on', reason: 'STATIC' })
  expect(details).not.toHaveProperty('errorCode')
})

const of: Record<Kind, [string, unknown]> = {
  Boolean: ['yes', false],
  String: ['text', 'x'],
  Number: ['zero', 7],
  Object: ['object', { d: 1 }]
}

test('a value of another type returns the default and an error', async () => {
  const { client } = await bind({ source: source() })
  for (const [kind, [, defaultValue]] of Object.entries(of) as [Kind, [string, unknown]][]) {
    for (const [other, [key]] of Object.entries(of)) {
      const details = await ask(client, kind, key, defaultValue)
      if (other === kind) expect(details.errorCode).toBeUndefined()
      else expect(details).toMatchObject({ value: defaultValue, errorCode: 'TYPE_MISMATCH', reason: 'ERROR' })
    }
  }
  const { errorMessage } = await client.getNumberDetails('text', 1)
  expect(errorMessage).toBe('the value of flag "text" is a string, expected type number')
})

test('a result without a value contains the reason', async () => {
  const { client } = await bind({ source: source() })
  const details = (key: string, context = {}) => client.getStringDetails(key, 'default', context)
  expect(await details('absent')).toMatchObject({ value: 'default', errorCode: 'FLAG_NOT_FOUND', reason: 'ERROR' })
  expect(await details('disabled')).toMatchObject({
    value: 'default',
    reason: 'DISABLED',
    flagMetadata: { owner: 'web' }
  })
  expect(await details('disabled')).not.toHaveProperty('errorCode')
  expect(await details('withOff')).toMatchObject({ value: 'off', variant: 'off', reason: 'DISABLED' })
  expect(await details('targeted')).toMatchObject({ value: 'default', reason: 'DEFAULT' })
  expect(await details('targeted')).not.toHaveProperty('errorCode')
  expect(await details('targeted', { country: 'DE' })).toMatchObject({ value: 'hallo', reason: 'TARGETING_MATCH' })
})

test('an evaluation needs a targeting key only if a hash decides', async () => {
  const { client } = await bind({ source: source() })
  const details = (context = {}) => client.getStringDetails('split', 'default', context)
  expect(await details()).toMatchObject({ value: 'default', errorCode: 'TARGETING_KEY_MISSING' })
  expect(await details({ targetingKey: '' })).toMatchObject({ errorCode: 'TARGETING_KEY_MISSING' })
  for (const name of ['targetingKey', 'user_id', 'userId']) {
    expect(await details({ [name]: 'ada' })).toMatchObject({ value: 'yes', reason: 'SPLIT' })
  }
  expect(await details({ targetingKey: 'x'.repeat(201) })).toMatchObject({ errorCode: 'INVALID_CONTEXT' })
})

test('metadata explain the evaluation unless flagMetadata is false', async () => {
  const { client } = await bind({ source: source() })
  const { flagMetadata } = await client.getStringDetails('text', 'default')
  expect(flagMetadata).toMatchObject({ _feature: 'feature-text', evalReasonTargetId: 'target-text' })
  const quiet = await bind({ source: source(), flagMetadata: false })
  expect((await quiet.client.getStringDetails('text', 'default')).flagMetadata).toEqual({})
  expect((await quiet.client.getStringDetails('disabled', 'default')).flagMetadata).toEqual({ owner: 'web' })
})

test('rollouts use the time of the option now', async () => {
  const rollout = { type: 'schedule', startDate: '2026-11-21T12:00:00Z' }
  const later = { features: [featureOf('later', { text: 'later' }, [targetOf('later', undefined, { rollout })])] }
  let time = Date.parse('2026-11-21T11:59:59Z')
  const { client } = await bind({ source: staticSource(configOf({ text: 'now' }, later)), now: () => time })
  expect(await client.getStringValue('text', 'default', { targetingKey: 'ada' })).toBe('now')
  time += 1_000
  expect(await client.getStringValue('text', 'default', { targetingKey: 'ada' })).toBe('later')
})
