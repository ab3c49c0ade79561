import { expect, test } from 'vitest'
import { toKey } from '../../../src/components/forms/toKey.ts'

test.each([
  ['New checkout', 'new-checkout'],
  ['  Crème brûlée!! ', 'creme-brulee'],
  ['v2.1_beta', 'v2.1_beta'],
  ['---', ''],
  ['日本', ''],
  ['x'.repeat(300), 'x'.repeat(100)]
])('%j → %j', (name, key) => {
  expect(toKey(name)).toBe(key)
})
