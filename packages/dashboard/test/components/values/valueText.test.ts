import { describe, expect, test } from 'vitest'
import { jsonSize, numberWarning, parseJsonObject, parseValue } from '../../../src/components/values/valueText.ts'

describe('typed values', () => {
  test.each(['', '1,5', 'NaN', 'Infinity', '0x10', '1e999'])('refuses %j as a number', (text) => {
    expect(parseValue('Number', text)).toHaveProperty('problem')
  })

  test('warns when another number is stored', () => {
    expect(numberWarning('9007199254740993')).toContain('not exact')
    expect(numberWarning('0.1000000000000000055511')).toBe('Stored as 0.1.')
    expect(numberWarning('10.50')).toBeUndefined()
  })

  test('takes objects as JSON only', () => {
    expect(parseValue('JSON', '{"a":1}')).toEqual({ value: { a: 1 } })
    expect(parseValue('JSON', '[1]')).toHaveProperty('problem')
    expect(parseValue('JSON', '{')).toHaveProperty('problem')
  })

  test('measures JSON without spaces', () => {
    expect(jsonSize('{ "a": 1 }')).toBe('7 bytes')
  })
})

test.each([
  ['{"a": 1e400}', 'the number 1e400 is too large to be stored'],
  [
    '{"a": [12345678901234567890]}',
    '12345678901234567890 would be stored as 12345678901234567000: write it in quotes, as a string'
  ],
  ['{"a": 1, "b": {"a": 2}, "a": 3}', 'the name "a" is repeated']
])('refuses %j, which would be stored differently', (text, message) => {
  expect(parseJsonObject(text)).toEqual({ problem: `Line 1: ${message}.` })
})

test.each(['{"a": [{"b": 1}, {"b": 1.50}], "b": -0}', '{"a": 9007199254740993000, "b": 1e21, "c": 18014398509481984}'])(
  'takes %j',
  (text) => expect(parseJsonObject(text)).toEqual({ value: JSON.parse(text) })
)

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', 3, 'a comma or }'],
  ['{\n  "a": 1,\n}', 3, 'a name in double quotes'],
  ["{\n  'a': 1\n}", 2, 'a name in double quotes or }'],
  ['{ "a" 1 }', 1, 'a colon'],
  ['{ "a":\n}', 2, 'a value'],
  ['{ "a": [1, 2,\n] }', 2, 'a value'],
  ['{ "a": [\n}', 2, 'a value or ]'],
  ['{ "a": 012 }', 1, 'a comma or }'],
  ['{ "a": "tab\there" }', 1, 'a value'],
  ['{}\n{}', 2, 'the end of the text'],
  ['{\n"a": 1\n', 3, 'a comma or }'],
  ['', 1, 'a value']
])('says in which line %j is not JSON', (text, line, expected) => {
  expect(parseJsonObject(text)).toEqual({ problem: `Line ${line}: expected ${expected}.` })
})
