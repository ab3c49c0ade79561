import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineAt, readJsonText } from '../../../src/components/values/jsonText.ts'

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
