import type { ExplainedFeature } from '@burgee/contract/schemas'
import { describe, expect, it } from 'vitest'
import { pairFeatures, type Side, sideTitles } from '../../../src/pages/explain/side.ts'

const feature = (id: string, variation?: string) =>
  ({ _id: id, key: id, ...(variation ? { variation: { _id: variation } } : {}) }) as unknown as ExplainedFeature

const side = (user: string, environment: string, ...features: ExplainedFeature[]): Side => ({
  user: { user_id: user },
  environment: { _id: environment, key: environment, name: environment },
  at: '2026-01-01T00:00:00.000Z',
  features
})

describe('two sides of an explanation', () => {
  it('are compared feature by feature, whatever their order', () => {
    const ada = side('ada', 'live', feature('a', 'on'), feature('b', 'on'), feature('c'))
    const grace = side('grace', 'live', feature('c', 'on'), feature('b', 'on'), feature('a', 'off'))
    expect(pairFeatures(ada, grace).map(({ first, isDifferent }) => [first.key, isDifferent])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true]
    ])
    expect(pairFeatures(ada, undefined).some(({ isDifferent }) => isDifferent)).toBe(false)
  })

  it('are called by what they differ in', () => {
    expect(sideTitles(side('ada', 'live'), side('grace', 'live'))).toEqual(['ada', 'grace'])
    expect(sideTitles(side('ada', 'live'), side('ada', 'test'))).toEqual(['live', 'test'])
    expect(sideTitles(side('ada', 'live'), side('grace', 'test'))).toEqual(['ada in live', 'grace in test'])
    expect(sideTitles(side('ada', 'live'), side('ada', 'live'))).toEqual(['First user', 'Second user'])
  })
})
