import { expect, test } from 'vitest'
import { readFilters, withFilter, withoutFilter } from '../../../../src/pages/features/filters/savedFilters.ts'

const stale = { project: 'demo', name: 'Old', search: { stale: true } } as const

const live = { project: 'demo', name: 'Live', search: { is: 'any', tag: 'holiday' } } as const

test('saved filters are read as they were written, without what is not a filter', () => {
  const stored = [stale, { name: 'without a project' }, null, { ...live, search: { ...live.search, is: 'nonsense' } }]
  expect(readFilters(JSON.stringify(stored))).toEqual([stale, { ...live, search: { tag: 'holiday' } }])
  expect(readFilters('{')).toEqual([])
})

test('a filter replaces the one of its name in its project', () => {
  const renewed = { ...stale, search: { q: 'winter' } }
  const elsewhere = { ...stale, project: 'payments' }
  expect(withFilter([stale, elsewhere, live], renewed)).toEqual([elsewhere, live, renewed])
  expect(withoutFilter([stale, elsewhere], stale)).toEqual([elsewhere])
})
