import { expect, test } from 'vitest'
import { isRecord } from '../src/index.ts'

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ['text', false],
  [1, false],
  [() => {}, false]
])('%j is a record: %s', (value, expected) => {
  expect(isRecord(value)).toBe(expected)
})
