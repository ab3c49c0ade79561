import { expect, it } from 'vitest'
import { toListSearch } from '../../../src/pages/features/listSearch.ts'

it('an address with other values has no filters', () => {
  expect(toListSearch({ q: 7, status: 'live', sort: 'x', stale: 'no', is: ['on'] })).toEqual({ q: '7' })
})
