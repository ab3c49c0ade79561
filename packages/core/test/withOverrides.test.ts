import { describe, expect, it } from 'vitest'
import { compile, withOverrides } from '../src/index.ts'
import { configWith, featureWith, targetWith, variationWith } from './configs.ts'

const config = configWith({
  features: [
    featureWith({ _id: 'f1', key: 'first' }),
    featureWith({
      _id: 'f2',
      key: 'second',
      targets: [targetWith({ distribution: [{ _variation: 'x', percentage: 1 }] })],
      variations: [
        { ...variationWith('x', 'other'), name: 'X' },
        variationWith('y', 'other'),
        variationWith('broken', 'nowhere')
      ]
    })
  ],
  variables: [
    { _id: 'variable', key: 'variable', type: 'String' },
    { _id: 'other', key: 'other', type: 'String' }
  ]
})

function valuesOf(document: typeof config, user_id: string): Record<string, unknown> {
  const variables = compile(document).variables({ user_id })
  return Object.fromEntries(Object.entries(variables).map(([key, { value }]) => [key, value]))
}

describe('a config with overrides', () => {
  it('serves each overridden user their variation, and does not affect other users', () => {
    const made = withOverrides(config, { ada: { f1: 'b', f2: 'y' }, bob: { f1: 'b' }, Ada: { f1: 'c' } })
    expect(valuesOf(made, 'ada')).toEqual({ variable: 'b', other: 'y' })
    expect(valuesOf(made, 'bob')).toEqual({ variable: 'b', other: 'x' })
    expect(valuesOf(made, 'Ada')).toEqual({ variable: 'c', other: 'x' })
    expect(valuesOf(made, 'eve')).toEqual(valuesOf(config, 'eve'))
  })

  it('has one target per variation, of type override, before the others', () => {
    const made = withOverrides(config, new Map(['ada', 'bob'].map((user) => [user, { f1: 'b' }])))
    expect(made.features[0]?.configuration.targets).toEqual([
      {
        _id: 'override-b',
        type: 'override',
        _audience: {
          filters: {
            operator: 'and',
            filters: [{ type: 'user', subType: 'user_id', comparator: '=', values: ['ada', 'bob'] }]
          }
        },
        distribution: [{ _variation: 'b', percentage: 1 }]
      },
      ...(config.features[0]?.configuration.targets ?? [])
    ])
    expect(made.debugUsers).toEqual(['ada', 'bob'])
    expect(withOverrides(config, new Map(['ada', 'bob'].map((user) => [user, { f1: 'b' }])))).toEqual(made)
  })

  it('ignores overrides with unknown features, variations or variables', () => {
    const nothing = { eve: { nowhere: 'a' }, ada: { f1: 'x' }, bob: { f2: 'broken' }, cid: {} }
    expect(withOverrides(config, nothing)).toBe(config)
    expect(withOverrides(config, new Map())).toBe(config)
    const odd = JSON.parse('{ "constructor": { "toString": "a", "__proto__": { "f1": "b" } } }')
    expect(withOverrides(config, odd)).toBe(config)
  })

  it('shares unchanged objects, and does not modify the original', () => {
    const before = structuredClone(config)
    const made = withOverrides(config, { ada: { f1: 'b' } })
    expect(made.features[0]).not.toBe(config.features[0])
    expect(made.features[0]?.variations).toBe(config.features[0]?.variations)
    expect(made.features[1]).toBe(config.features[1])
    expect(config).toEqual(before)
  })
})
