import { expect, test } from 'vitest'
import { toAccessQuery, validateAccessSearch } from '../../../../src/pages/organization/access/accessSearch.ts'

test('the address of the access log leaves out what it does not understand', () => {
  expect(
    validateAccessSearch({ kind: 'signIn', outcome: 'maybe', from: '2026-99-99', to: '2026-03-01', page: 1 })
  ).toEqual({ kind: 'signIn', to: '2026-03-01' })
  expect(validateAccessSearch({ kind: 'toString', page: 3 })).toEqual({ page: 3 })
})

test('the access log starts seven days ago without a first day', () => {
  const now = new Date('2026-03-10T15:30:00').getTime()
  expect(toAccessQuery({}, '', now)).toEqual({ startDate: new Date('2026-03-03T00:00:00').toISOString() })
  expect(toAccessQuery({ from: '2026-01-01', outcome: 'refused' }, '192.0.2.1', now)).toEqual({
    outcome: 'refused',
    address: '192.0.2.1',
    startDate: new Date('2026-01-01T00:00:00').toISOString()
  })
})
