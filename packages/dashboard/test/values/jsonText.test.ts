import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineAt, readJsonText } from '../../src/parts/values/jsonText.ts'
import { parseJsonObject } from '../../src/parts/values/valueText.ts'

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

test('finds the line of each value by its pointer', () => {
  const text = JSON.stringify({ a: { 'b/c~d': [1, { e: null }] }, f: '' }, undefined, 2)
  const { places } = readJsonText(text)
  const lines = [...places].map(([pointer, offset]) => [pointer, lineAt(text, offset)])
  expect(lines).toEqual([
    ['', 1],
    ['/a', 2],
    ['/a/b~1c~0d', 3],
    ['/a/b~1c~0d/0', 4],
    ['/a/b~1c~0d/1', 5],
    ['/a/b~1c~0d/1/e', 6],
    ['/f', 10]
  ])
})

test('accepts what JSON.parse accepts, and nothing else', () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const accepts = (text: string) => readJsonText(text).problem === undefined
  const broken = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[],:"\\0-.eEtn \n\t')).map(([text, at, mark]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + mark + text.slice(place + (at % 2))
  })
  fc.assert(fc.property(fc.oneof(fc.json(), broken), (text) => accepts(text) === isJson(text)))
})
