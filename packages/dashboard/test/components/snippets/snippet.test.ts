import { expect, test } from 'vitest'
import { exampleVariable, quote } from '../../../src/components/snippets/snippet.ts'

test.each([
  ["it's", "'", "'it\\'s'"],
  ['a"b\\c', '"', '"a\\"b\\\\c"']
] as const)('%j is quoted', (text, mark, expected) => {
  expect(quote(text, mark)).toBe(expected)
})

test('the example is the first variable that is true or false, else the first one', () => {
  const layout = { key: 'layout', type: 'JSON' } as const
  const checkout = { key: 'checkout', type: 'Boolean' } as const
  expect(exampleVariable([layout, checkout])).toBe(checkout)
  expect(exampleVariable([layout])).toBe(layout)
  expect(exampleVariable([])).toBeUndefined()
})
