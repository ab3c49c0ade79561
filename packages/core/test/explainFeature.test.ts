import { describe, expect, test } from 'vitest'
import { compile, explainFeature } from '../src/index.ts'
import { configWith, featureWith, targetWith } from './configs.ts'

const inCanada = { type: 'user', subType: 'country', comparator: '=', values: ['CA'] }
const onAndroid = { type: 'user', subType: 'platform', comparator: '=', values: ['Android'] }
const inAudience = (id: string, comparator = '=') => ({ type: 'audienceMatch', comparator, _audiences: [id] })

const evaluator = compile(
  configWith({
    features: [
      featureWith({ _id: 'f0', key: 'other' }),
      featureWith({
        targets: [
          targetWith({
            _id: 'first',
            filters: {
              operator: 'and',
              filters: [
                inAudience('group'),
                { operator: 'or', filters: [inAudience('testers')] },
                inAudience('group', '!=')
              ]
            }
          }),
          targetWith({ _id: 'rest' })
        ]
      })
    ],
    audiences: {
      group: { filters: { operator: 'or', filters: [inCanada, onAndroid] } },
      testers: { filters: { operator: 'and', filters: [onAndroid] } }
    }
  })
)
const user = { user_id: 'u', country: 'CA' }

describe('explainFeature', () => {
  test('explains one feature of the config by its id', () => {
    expect(explainFeature(evaluator, user, 'f1')).toMatchObject({
      _id: 'f1',
      key: 'feature',
      outcome: 'served',
      served: { _variation: 'a' },
      targets: [
        { _id: 'first', isMatched: false },
        { _id: 'rest', isChosen: true }
      ]
    })
  })

  test('is undefined for a feature that the config does not contain', () => {
    expect(explainFeature(evaluator, user, 'f2')).toBeUndefined()
  })

  test('keeps the filters that match an audience as they are', () => {
    const { filters } = explainFeature(evaluator, user, 'f1')?.targets[0]?.filters ?? {}
    expect(filters).toEqual([
      { filter: inAudience('group'), isMatched: true },
      { operator: 'or', isMatched: false, filters: [{ filter: inAudience('testers'), isMatched: false }] },
      { filter: inAudience('group', '!='), isMatched: false }
    ])
  })

  test('replaces a filter that matches a group by the filters of the group', () => {
    const isFilterGroup = (id: string) => id === 'group'
    const { filters } = explainFeature(evaluator, user, 'f1', { isFilterGroup })?.targets[0]?.filters ?? {}
    expect(filters).toEqual([
      {
        operator: 'or',
        isMatched: true,
        filters: [
          { filter: inCanada, isMatched: true },
          { filter: onAndroid, isMatched: false }
        ]
      },
      { operator: 'or', isMatched: false, filters: [{ filter: inAudience('testers'), isMatched: false }] },
      { filter: inAudience('group', '!='), isMatched: false }
    ])
  })

  test('keeps a filter that matches an unknown group', () => {
    const unknown = compile(
      configWith({
        features: [
          featureWith({ targets: [targetWith({ filters: { operator: 'and', filters: [inAudience('missing')] } })] })
        ]
      })
    )
    expect(explainFeature(unknown, user, 'f1', { isFilterGroup: () => true })?.targets[0]?.filters).toEqual({
      operator: 'and',
      isMatched: false,
      filters: [{ filter: inAudience('missing'), isMatched: false }]
    })
  })

  test('reports the variation of an override of this feature only', () => {
    const overrides = { f0: 'b', f1: 'c' }
    expect(explainFeature(evaluator, user, 'f1', { overrides })).toMatchObject({
      outcome: 'overridden',
      served: { _variation: 'c' }
    })
    expect(explainFeature(evaluator, user, 'f1', { overrides: { f0: 'b' } })).toMatchObject({ outcome: 'served' })
  })
})
