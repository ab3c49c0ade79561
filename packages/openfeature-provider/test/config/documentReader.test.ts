import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DocumentReader } from '../../src/config/documentReader.ts'
import { stringifyInSlices } from '../../src/lib/json.ts'

/** Returns what a text is parsed to, in pieces of this length, or why it is not JSON. */
async function read(reader: DocumentReader, text: string, length: number): Promise<unknown> {
  const count = Math.ceil(text.length / length)
  const pieces = Array.from({ length: count }, (_, index) => text.slice(index * length, (index + 1) * length))
  try {
    return { document: await reader.read(pieces) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

function parse(text: string): unknown {
  try {
    return { document: JSON.parse(text) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

const space = fc.constantFrom('', ' ', '\n\t\r ')
const name = fc.constantFrom(
  '"features"',
  '"variables"',
  '"audiences"',
  '"f\\u0065atures"',
  '"__proto__"',
  '"\\\\"',
  '""'
)
const list = fc
  .tuple(fc.array(fc.tuple(fc.jsonValue(), space), { maxLength: 4 }), space)
  .map(
    ([items, before]) =>
      `[${before}${items.map(([item, after]) => `${JSON.stringify(item)}${after}`).join(`,${before}`)}]`
  )
const value = fc.oneof(list, fc.json())
const document = fc.tuple(fc.array(fc.tuple(name, value, space), { maxLength: 5 }), space).map(([members, before]) => {
  return `${before}{${before}${members.map(([key, text, after]) => `${key}${after}:${before}${text}${after}`).join(`,${before}`)}}${before}`
})
/** A document with one character missing, doubled or replaced. */
const damaged = fc
  .tuple(document, fc.nat(), fc.constantFrom('', '{', '}', '[', ']', '"', ',', ':', '\\', '0', ' '))
  .map(([text, at, by]) => {
    const index = at % (text.length + 1)
    return text.slice(0, index) + by + text.slice(index + 1)
  })

/** From pieces of one character to a whole text. */
const pieceLength = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(1_000_000))

test.each([
  ['documents', document],
  ['damaged documents', damaged],
  ['any JSON', fc.json()]
])('%s are read as JSON.parse does, with its messages', async (_, texts) => {
  await fc.assert(
    fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 3 }), pieceLength, async (versions, length) => {
      const reader = new DocumentReader()
      for (const text of versions) {
        const [result, expected] = [await read(reader, text, length), parse(text)]
        expect(result).toEqual(expected)
        // The order of members too.
        expect(JSON.stringify(result)).toBe(JSON.stringify(expected))
      }
    }),
    { numRuns: 200 }
  )
})

interface Lists {
  readonly features: readonly unknown[]
  readonly variables?: readonly unknown[]
}

async function readLists(reader: DocumentReader, document: Lists): Promise<Lists> {
  return (await reader.read([JSON.stringify(document)])) as Lists
}

test('features and variables with the same text are the same objects as before, wherever they are', async () => {
  const reader = new DocumentReader()
  const before = { features: [{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }], variables: [{ _id: 'x' }] }
  const after = { features: [{ _id: 'new' }, { _id: 'c' }, { _id: 'a', name: 'renamed' }], variables: [{ _id: 'x' }] }
  const first = await readLists(reader, before)
  const second = await readLists(reader, after)
  expect(second.features[1]).toBe(first.features[2])
  expect(second.variables?.[0]).toBe(first.variables?.[0])
  expect(second).toEqual(after)
})

test('features and variables with other spaces are the same objects as before', async () => {
  const reader = new DocumentReader()
  const document = { features: [{ _id: 'a' }, { _id: 'b', name: 'old' }], variables: [{ _id: 'x' }] }
  const first = await readLists(reader, document)
  const changed = { ...document, features: [{ _id: 'a' }, { _id: 'b', name: 'new' }] }
  const second = (await reader.read([JSON.stringify(changed, undefined, 2)])) as Lists
  expect(second.features[0]).toBe(first.features[0])
  expect(second.variables?.[0]).toBe(first.variables?.[0])
  expect(second).toEqual(changed)
})

test('a text that is not JSON leaves the objects of the last document known', async () => {
  const reader = new DocumentReader()
  const document = { features: [{ _id: 'a' }] }
  const first = await readLists(reader, document)
  await expect(reader.read([JSON.stringify(document).slice(1)])).rejects.toThrow(SyntaxError)
  expect((await readLists(reader, document)).features[0]).toBe(first.features[0])
})

test('the event loop serves others while a document is read', async () => {
  const text = JSON.stringify({ features: Array.from({ length: 50 }, (_, _id) => ({ _id })) })
  let turns = 0
  let isReading = true
  const count = (): void => {
    turns++
    if (isReading) setImmediate(count)
  }
  setImmediate(count)
  // With slices of no time, there is a turn after each feature.
  await new DocumentReader(0).read([text])
  isReading = false
  expect(turns).toBeGreaterThan(40)
})

test('a record is stringified as JSON.stringify does', async () => {
  const item = fc.oneof(fc.jsonValue(), fc.constant(undefined))
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.oneof(item, fc.array(item))), async (record) => {
      expect(await stringifyInSlices(record)).toBe(JSON.stringify(record))
    }),
    { numRuns: 100 }
  )
})
