import type { FeatureListItem, StatusInEnvironment } from '@burgee/contract/schemas'
import { describe, expect, it } from 'vitest'
import { toListSearch } from '../../../src/pages/features/listSearch.ts'
import { selectRows } from '../../../src/pages/features/selectRows.ts'

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
