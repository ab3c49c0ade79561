import type { FeatureListItem, StatusInEnvironment } from '@burgee/contract/schemas'
import { describe, expect, it } from 'vitest'
import { toListSearch } from '../../src/pages/features/listSearch.ts'
import { selectRows } from '../../src/pages/features/selectRows.ts'
import { describeStatus } from '../../src/pages/features/statusWords.ts'
import { presetOf, presets, presetTarget } from '../../src/pages/newFeature/presets.ts'
import { type FeatureForm, readValue, toBody } from '../../src/pages/newFeature/toBody.ts'

function row(key: string, members: Partial<FeatureListItem> = {}): FeatureListItem {
  return {
    _id: key,
    key,
    name: key,
    type: 'release',
    status: 'active',
    tags: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    revision: key,
    pendingChangeRequests: 0,
    environments: { production: { status: 'off' } },
    ...members
  }
}

const rows = [
  row('beta', { tags: ['Web'], updatedAt: '2026-01-02T00:00:00.000Z' }),
  row('alpha 10', { environments: { production: { status: 'split', variations: ['a', 'b'] } } }),
  row('alpha 9', { status: 'archived' })
]
const keys = (search: Parameters<typeof selectRows>[1]) => selectRows(rows, search, 'production').map(({ key }) => key)

describe('the rows of the list', () => {
  it('are those that changed last, without archived ones', () => {
    expect(keys({})).toEqual(['beta', 'alpha 10'])
  })

  it('that are killed count as off too', () => {
    const killed = row('killed', { environments: { production: { status: 'killed' } } })
    const found = (is: 'off' | 'killed' | 'any') => selectRows([...rows, killed], { is }, 'production').length
    expect([found('off'), found('killed'), found('any')]).toEqual([2, 1, 1])
  })

  it('are those that this browser watches, on request', () => {
    const { watched } = toListSearch({ watched: true })
    expect(selectRows(rows, { ...(watched ? { watched } : {}) }, '', new Set(['beta']))).toHaveLength(1)
    expect(selectRows(rows, {}, '', new Set(['beta']))).toHaveLength(2)
  })

  it('match every word in name, key or tag', () => {
    expect(keys({ q: 'ALPHA 1' })).toEqual(['alpha 10'])
    expect(keys({ q: 'web' })).toEqual(['beta'])
  })

  it('that are on for everyone are apart from split and partly rolled out ones', () => {
    const on = (status: StatusInEnvironment) => ({ environments: { production: status } })
    const mixed = [
      row('everyone', on({ status: 'on', variations: ['a'] })),
      row('split', on({ status: 'split', variations: ['a', 'b'] })),
      row('partly', on({ status: 'partly', share: 0.2 }))
    ]
    const found = (is: 'any' | 'on' | 'split' | 'partly') =>
      selectRows(mixed, { is }, 'production').map(({ key }) => key)
    expect([found('on'), found('split'), found('partly')]).toEqual([['everyone'], ['split'], ['partly']])
    expect(found('any').toSorted()).toEqual(['everyone', 'partly', 'split'])
  })

  it('are ordered by numbers in names', () => {
    expect(keys({ sort: 'name', status: 'all' })).toEqual(['alpha 9', 'alpha 10', 'beta'])
  })
})

it('an address with other values has no filters', () => {
  expect(toListSearch({ q: 7, status: 'live', sort: 'x', stale: 'no', is: ['on'] })).toEqual({ q: '7' })
})

it.each<[StatusInEnvironment, string]>([
  [{ status: 'on', variations: ['b'] }, 'on'],
  [{ status: 'split', variations: ['a', 'b'] }, 'on, 2 variations'],
  [{ status: 'partly', share: 0.2, trend: 'rising', isFiltered: false }, '20% rising'],
  [{ status: 'partly', share: 0.9996, trend: 'steady', isFiltered: false }, '99.96%'],
  [{ status: 'partly', share: 0, trend: 'steady', isFiltered: false }, 'on, for nobody'],
  [{ status: 'partly', trend: 'falling', isFiltered: true }, 'partly falling'],
  [{ status: 'off' }, 'off']
])('%o is said as %s', (status, words) => {
  expect(describeStatus(status).words).toBe(words)
})

describe('a new feature', () => {
  const form: FeatureForm = { type: 'release', name: 'A', key: 'a', valueType: 'Number', values: {}, onIn: ['dev'] }
  const environments = [
    { key: 'dev', type: 'development' },
    { key: 'stage', type: 'staging' },
    { key: 'live', type: 'production' }
  ] as const

  it('has a target in each environment, and in protected ones only if it is on there', () => {
    const body = toBody(form, presetTarget(presetOf('release'), undefined), environments)
    expect(Object.entries(body.configurations ?? {}).map(([key, { status }]) => [key, status])).toEqual([
      ['dev', 'active'],
      ['stage', 'inactive']
    ])
    expect(body.variations?.map(({ variables }) => variables)).toEqual([{ a: 1 }, { a: 0 }])
  })

  it.each(presets)('of type $type has shares that add up to 1', (preset) => {
    const { target } = presetTarget(preset, 'ada@example.com')
    expect(target.distribution.reduce((sum, { percentage }) => sum + percentage * 10_000, 0)).toBeCloseTo(10_000, 6)
  })

  it('refuses values that are no number or object', () => {
    expect(readValue('Number', ' ')).toHaveProperty('problem')
    expect(readValue('JSON', '[1]')).toHaveProperty('problem')
    expect(readValue('JSON', '{"a": 1}')).toEqual({ value: { a: 1 } })
  })
})
