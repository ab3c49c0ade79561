import { expect, test } from 'vitest'
import { validateHistorySearch } from '../../src/pages/history/historySearch.ts'
import { newerEntries } from '../../src/pages/history/newerEntries.ts'
import { revertedEntries } from '../../src/pages/history/revertible.ts'

function entry(_id: string, type: 'modifiedTarget' | 'createdFeature' | 'createdOverride') {
  const change = { type, newContents: null, previousContents: null }
  return { _id, date: '', idp_user: 'ada', changes: [change] }
}

test('takes back an entry and all later changes of the feature', () => {
  const entries = [entry('3', 'modifiedTarget'), entry('2', 'createdOverride'), entry('1', 'modifiedTarget')]
  expect(revertedEntries([...entries, entry('0', 'createdFeature')], '1')?.map(({ _id }) => _id)).toEqual(['3', '1'])
  expect(revertedEntries(entries, 'unknown')).toBeUndefined()
})

test('leaves out what it does not understand in an address', () => {
  expect(
    validateHistorySearch({ entry: '<b>', actor: 'nobody', from: 'yesterday', page: 0, in: 'production' })
  ).toEqual({
    in: 'production'
  })
})

test('entries above the first one that is shown are newer', () => {
  const [one, two, three] = [{ _id: '1' }, { _id: '2' }, { _id: '3' }]
  expect(newerEntries([three, two, one], [two, one])).toEqual([three])
  expect(newerEntries([two, one], [two, one])).toEqual([])
  expect(newerEntries([three], [two, one])).toEqual([three])
})
