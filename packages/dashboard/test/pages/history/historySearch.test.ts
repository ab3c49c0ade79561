import { expect, test } from 'vitest'
import { validateHistorySearch } from '../../../src/pages/history/historySearch.ts'

test('leaves out what it does not understand in an address', () => {
  expect(
    validateHistorySearch({ entry: '<b>', actor: 'nobody', from: 'yesterday', page: 0, in: 'production' })
  ).toEqual({
    in: 'production'
  })
})
