import { expect, test } from 'vitest'
import { newerEntries } from '../../../src/pages/history/newerEntries.ts'

test('entries above the first one that is shown are newer', () => {
  const [one, two, three] = [{ _id: '1' }, { _id: '2' }, { _id: '3' }]
  expect(newerEntries([three, two, one], [two, one])).toEqual([three])
  expect(newerEntries([two, one], [two, one])).toEqual([])
  expect(newerEntries([three], [two, one])).toEqual([three])
})
