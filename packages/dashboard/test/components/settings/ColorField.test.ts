import { expect, test } from 'vitest'
import { toSixDigits } from '../../../src/components/settings/ColorField.tsx'

test.each([
  ['#abc', '#aabbcc'],
  ['#abcd', '#aabbcc'],
  ['#1d4ed8', '#1d4ed8'],
  ['#1d4ed8ff', '#1d4ed8']
])('%s is %s to the picker of colours', (color, expected) => {
  expect(toSixDigits(color)).toBe(expected)
})
