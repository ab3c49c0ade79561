import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonParts } from '../../../src/components/values/jsonParts.ts'

test.each([
  ['{ "a": "b" }', 'name "a", string "b"'],
  ['{"a" : [-1.5e3, true, false, null]}', 'name "a", literal -1.5e3, literal true, literal false, literal null'],
  ['["a \\" b", "c:"]', 'string "a \\" b", string "c:"'],
  ['{"a": "not closed\n"b": 1}', 'name "a", string "not closed, name "b", literal 1'],
  ['{ nulls: undefined }', '']
])('knows names, strings and literals in %j', (text, expected) => {
  const known = jsonParts(text).filter(({ kind }) => kind !== undefined)
  expect(known.map((part) => `${part.kind} ${part.text}`).join(', ')).toBe(expected)
})

test('the parts of any text, joined, are the text', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(fc.constantFrom('"', '\\', ':', '\n', '1', 'true', '{')).map((all) => all.join(''))
  )
  fc.assert(
    fc.property(
      texts,
      (text) =>
        jsonParts(text)
          .map((part) => part.text)
          .join('') === text
    )
  )
})
