import { expect, it } from 'vitest'
import { findByKeyOrId } from '../src/index.ts'

it('prefers keys to ids', () => {
  const [one, other] = [
    { _id: 'b', key: 'a' },
    { _id: 'a', key: 'b' }
  ]
  expect(['a', 'b', 'c'].map((reference) => findByKeyOrId([one, other], reference))).toEqual([one, other, undefined])
  expect(findByKeyOrId([one], 'b')).toBe(one)
})
