import type { Audience, Comparison } from '@burgee/contract/schemas'
import { describe, expect, it } from 'vitest'
import { missingAudiences, portableFilters } from '../../../src/pages/promote/missingAudiences.ts'

const match = (...references: string[]) => ({ type: 'audienceMatch', _audiences: references })

const audience = (key: string, ...references: string[]) =>
  ({
    _id: `id-${key}`,
    key,
    name: key,
    filters: { operator: 'and', filters: [match(...references)] }
  }) as unknown as Audience

const source = [audience('staff'), audience('beta', 'id-staff'), audience('vip')]

const features = [
  {
    feature: 'checkout',
    targets: [
      {
        name: null,
        change: 'removed',
        fields: [{ path: 'audience.filters', a: { filters: [match('beta')] }, b: null }]
      }
    ]
  }
] as unknown as Comparison['features']

const keysOf = (existing: string[]) => missingAudiences(features, source, new Set(existing)).map(({ key }) => key)

describe('the audiences that another project lacks', () => {
  it('are those of the targets, after the ones that they refer to', () => {
    expect(keysOf([])).toEqual(['staff', 'beta'])
  })

  it('are not those that it has', () => {
    expect(keysOf(['staff'])).toEqual(['beta'])
    expect(keysOf(['beta'])).toEqual([])
  })

  it('refer to others by key', () => {
    expect(portableFilters(audience('beta', 'id-staff'), source)).toEqual({
      operator: 'and',
      filters: [match('staff')]
    })
  })
})
