import { expect, it } from 'vitest'
import { findByKeyOrId } from '../src/index.ts'

it('prefers ids to keys', () => {
  const [one, other] = [
    { _id: 'b', key: 'a' },
    { _id: 'a', key: 'b' }
  ]
  expect(['a', 'b', 'c'].map((reference) => findByKeyOrId([one, other], reference))).toEqual([other, one, undefined])
  expect(findByKeyOrId([one], 'a')).toBe(one)
})
