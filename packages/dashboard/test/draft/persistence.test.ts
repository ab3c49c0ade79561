import { expect, test } from 'vitest'
import { countDrafts, keepDraft, keepOnlyDrafts, loadDraft } from '../../src/draft/persistence.ts'
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

test('a sign-out that keeps the drafts of a user removes all else', () => {
  const storage = storageOfTwo()
  keepOnlyDrafts(storage, 'ada')
  expect(storage.length).toBe(2)
  expect(loadDraft(storage, ada)).toMatchObject({ mine: 'B' })
})

test('storage that is turned off has no drafts to ask about', () => {
  const off = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  const storage = { getItem: off, setItem: off, removeItem: off, key: off, length: 1 }
  expect(countDrafts(storage, 'ada')).toBe(0)
  expect(() => keepOnlyDrafts(storage, 'ada')).not.toThrow()
})
