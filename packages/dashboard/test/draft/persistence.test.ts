import { expect, test } from 'vitest'
import { clearForUser, countDrafts, keepDraft, loadDraft } from '../../src/draft/persistence.ts'
import { memory } from '../support/memoryStorage.ts'

const draft = { base: 'A', mine: 'B', revision: 'r1', savedAt: 5 }
const ada = { user: 'ada', resource: 'feature/1', environment: 'production' }
const grace = { user: 'grace', resource: 'feature/1' }

function storageOfTwo() {
  const storage = memory()
  storage.setItem('burgee.explain.first.demo', '{}')
  for (const address of [ada, { ...ada, environment: 'staging' }, grace]) keepDraft(storage, address, draft)
  return storage
}

test('drafts of a user are counted without those of others', () => {
  const storage = storageOfTwo()
  expect(['ada', 'grace', 'eve', 'ad'].map((user) => countDrafts(storage, user))).toEqual([2, 1, 0, 0])
})

test.each([
  [true, 3],
  [false, 1]
])('a sign-out removes all but the drafts of others, and of the user if kept: %s', (keepsDrafts, length) => {
  const storage = storageOfTwo()
  clearForUser(storage, 'ada', { keepsDrafts })
  expect(storage.length).toBe(length)
  expect(loadDraft(storage, ada) !== undefined).toBe(keepsDrafts)
  expect(loadDraft(storage, grace)).toMatchObject({ mine: 'B' })
})

test('storage that is turned off has no drafts to ask about', () => {
  const off = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  const storage = { getItem: off, setItem: off, removeItem: off, key: off, length: 1 }
  expect(countDrafts(storage, 'ada')).toBe(0)
  expect(() => clearForUser(storage, 'ada', { keepsDrafts: true })).not.toThrow()
})
