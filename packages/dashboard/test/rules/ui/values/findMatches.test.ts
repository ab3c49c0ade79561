import { expect, test } from 'vitest'
import { findMatches } from '../../../../src/rules/ui/values/findMatches.ts'

test.each([
  ['ann@x.com\nANN@y.com', 'ann@', [0, 10]],
  ['1.0\n100', '1.0', [0]],
  ['İstanbul\nab', 'AB', [9]],
  ['a', '', []],
  ['a', 'b', []]
])('finds in %j the text %j', (text, wanted, matches) => {
  expect(findMatches(text, wanted)).toEqual(matches)
})
