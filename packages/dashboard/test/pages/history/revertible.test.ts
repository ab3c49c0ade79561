import { expect, test } from 'vitest'
import { revertedEntries } from '../../../src/pages/history/revertible.ts'

function entry(_id: string, type: 'modifiedTarget' | 'createdFeature' | 'createdOverride') {
  const change = { type, newContents: null, previousContents: null }
  return { _id, date: '', idp_user: 'ada', changes: [change] }
}

test('takes back an entry and all later changes of the feature', () => {
  const entries = [entry('3', 'modifiedTarget'), entry('2', 'createdOverride'), entry('1', 'modifiedTarget')]
  expect(revertedEntries([...entries, entry('0', 'createdFeature')], '1')?.map(({ _id }) => _id)).toEqual(['3', '1'])
  expect(revertedEntries(entries, 'unknown')).toBeUndefined()
})
