import { expect, it, test } from 'vitest'
import { parseInSlices } from '../../src/api/http/request/parseInSlices.ts'

const parse = (text: string) => parseInSlices(text, () => {})

/** More than one part. */
const LONG = 'x'.repeat(40_000)
const long = JSON.stringify(LONG)

/** Objects of different members. */
const objects = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    [`a${index}`]: [index, { [`b${index}`]: null }],
    text: 'x'.repeat(9)
  }))

test.each<[string, unknown]>([
  ['a list', objects(5000)],
  ['lists in lists', [[objects(2000)], [[], {}, objects(2000), 1], objects(9)]],
  ['an object of many members', Object.fromEntries(objects(5000).map((one, index) => [`m${index}`, one]))],
  ['members with escaped and numeric names', { '"\\,[{': objects(1500), 7: [objects(1500)], '': { b: objects(1500) } }],
  ['texts with brackets, quotes and commas', Array(3000).fill(['],"}{[', '\\', '\\",', '😀,'])],
  ['a long text', [LONG.repeat(4), { a: LONG, b: [LONG, LONG] }, LONG]],
  [
    'texts of quotes and backslashes only',
    ['"'.repeat(40_000), `a${'"'.repeat(40_000)}`, '\\'.repeat(40_001), '\\"'.repeat(40_000)]
  ],
  ['a small value', 'ada']
])('parses %s that is longer than a part', async (_name, value) => {
  for (const text of [JSON.stringify(value), JSON.stringify(value, undefined, 2)]) {
    expect(JSON.stringify(await parse(text))).toBe(JSON.stringify(value))
  }
})

test.each([
  `{"a":[${long},1],"a":[${long},2],"b":3}`,
  `{"a":{"b":${long},"c":1},"a":2,"b":${long}}`,
  `{"__proto__":{"a":${long},"b":[${long},2]},"c":${long},"__proto__":[${long},1]}`
])('repeated and reserved members of a long text mean what they mean to JSON.parse: %.14s…', async (text) => {
  const value = await parse(text)
  expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

test.each([
  `[${long},]`,
  `[${long},,1]`,
  `[,${long}]`,
  `{${long}:1,}`,
  `{"a":${long},"b"}`,
  `{"a":${long},2]`,
  `[${long},"a":1]`,
  `[${long}},1]`,
  `[{"a":${long}],1}`,
  `[${long},1]]`,
  `[${long},1],[${long},2]`,
  `[${long},${long}`,
  `[${long},"a`,
  `[${long},1} `
])('refuses long text that is not JSON: %.6s…', async (text) => {
  await expect(parse(text)).rejects.toThrow(SyntaxError)
})

it('says in which part of a long text the mistake is', async () => {
  await expect(parse(`[${long},1,2,${long},oops]`)).rejects.toThrow(/^malformed between the characters 80011 and \d+$/)
})

it('stops at the first part that exceeds a limit', async () => {
  const text = `[${long},${'['.repeat(100_000)}`
  let deepest = 0
  const parsed = parseInSlices(text, ({ depth }) => {
    deepest = depth
    if (depth > 10) throw new RangeError('too deep')
  })
  await expect(parsed).rejects.toThrow('too deep')
  expect(deepest).toBe(11)
})

it('measures all of a text before it parses any of it', async () => {
  const parsed = parseInSlices(`[oops,${long},${'[],'.repeat(1000)}0]`, ({ containers }) => {
    if (containers >= 1000) throw new RangeError('too many')
  })
  await expect(parsed).rejects.toThrow('too many')
})

it('counts the members of the object with the most, also across parts', async () => {
  const counts: number[] = []
  const text = `{"a":[{"b":1,"c":{"d":1}},{":":":,"}],"e":${long},"f":{"g":${long},"h":1,"i":2,"j":3},"k":4}`
  await parseInSlices(text, ({ members }) => counts.push(members))
  expect(counts.at(-1)).toBe(4)
})

it('gives the length of the longest string while it reads it', async () => {
  const read = ({ longest }: { readonly longest: number }) => {
    if (longest > 100_000) throw new RangeError('too long')
  }
  await expect(parseInSlices(`["${'\\"'.repeat(100_000)}`, read)).rejects.toThrow('too long')
  await expect(parseInSlices(JSON.stringify(['"'.repeat(40_000)]), read)).resolves.toEqual(['"'.repeat(40_000)])
})

test.each([
  ['whose objects all have different members', manyNames()],
  ['with much white space', `${' '.repeat(2 ** 25)}{}`],
  ['of one long number', `1${'0'.repeat(2 ** 25)}`]
])('others continue while a text is parsed %s', async (_name, text) => {
  let isDone = false
  const parsed = parse(text).finally(() => {
    isDone = true
  })
  let turns = 0
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    turns++
  }
  expect(await parsed).toEqual(JSON.parse(text))
  expect(turns).toBeGreaterThan(3)
})

function manyNames(): string {
  const name = () => Math.random().toString(36)
  return JSON.stringify(
    Array.from({ length: 4000 }, () => Object.fromEntries(Array.from({ length: 20 }, () => [name(), 1])))
  )
}
