import { runs, seed } from '@burgee/testing/scale'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  escapeControlCharacters,
  escapeInvisibleCharacters,
  escapeLine,
  findNearest,
  findRepeatedMember,
  formatIssues,
  formatValue,
  measureJson,
  sanitizeLine
} from '../src/text/index.ts'

test.each([
  ['plain', 'plain'],
  ['two\nlines\tof Ünïcödé 👩‍🚀 and العربية', 'two\nlines\tof Ünïcödé 👩‍🚀 and العربية'],
  ['\u001b]0;owned\u0007', '\\u001b]0;owned\\u0007'],
  ['\u0000\r\u007f\u009b', '\\u0000\\u000d\\u007f\\u009b'],
  ['\u061c\u200e\u200f\u202a\u202e\u2066\u2069', '\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069'],
  ['\u2028\u2029', '\\u2028\\u2029']
])('escapeControlCharacters(%j) returns %j', (text, escaped) => expect(escapeControlCharacters(text)).toBe(escaped))

test.each([
  ['two\nlines\t', 'two\nlines\t'],
  ['zero\u200bwidth \u{e0041}', 'zero\\u200bwidth \\udb40\\udc41'],
  ['braille blank \u2800', 'braille blank \\u2800']
])('escapeInvisibleCharacters(%j) returns %j', (text, escaped) => {
  expect(escapeInvisibleCharacters(text)).toBe(escaped)
})

test.each([
  ['Ünïcödé 🚀', 'Ünïcödé 🚀'],
  ['two\nlines\t', 'two\\u000alines\\u0009'],
  ['\u001b[31m\u2028\u200b', '\\u001b[31m\\u2028\\u200b']
])('escapeLine(%j) returns %j', (text, escaped) => expect(escapeLine(text)).toBe(escaped))

test('sanitizeLine makes visually equal texts equal', () => {
  expect(sanitizeLine(' New\u200b \n check\u00adout ')).toBe('New checkout')
})

test.each([
  [undefined, 'nothing'],
  ['a', '"a"'],
  [{ a: 1 }, '{"a":1}'],
  [null, 'null'],
  [Number.NaN, 'NaN'],
  [1n, '1'],
  ['x'.repeat(100), `"${'x'.repeat(79)}…`]
])('formatValue(%s) returns %s', (value, text) => expect(formatValue(value)).toBe(text))

test.each([
  ['1', { depth: 0, values: 1, containers: 0, members: 0 }],
  ['{"a":[1,"],\\"{"]}', { depth: 2, values: 2, containers: 2, members: 1 }],
  ['[[],[],{}]', { depth: 2, values: 3, containers: 4, members: 0 }],
  ['{"a":{"b":1,"c":[1,2,3],"d":":"},"e":{}}', { depth: 3, values: 6, containers: 4, members: 3 }]
])('measureJson(%j) returns %j', (text, size) => expect(measureJson(text, 3)).toEqual(size))

test('measureJson stops below the maximum depth', () => {
  expect(measureJson(`${'['.repeat(10)}1,2,3`, 4)).toEqual({ depth: 5, values: 1, containers: 5, members: 0 })
})

describe('findRepeatedMember', () => {
  test.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"a":{"b":[1,{"c":1,"c":2}]}}', 'a.b.1.c'],
    ['[{},{"x":"}","x":[]}]', '1.x'],
    ['{"a\\"b":1,"a\\"b":1}', 'a"b'],
    ['{"__proto__":1,"__proto__":1}', '__proto__'],
    ['{"a":{"a":1},"b":{"a":1}}', undefined],
    ['{"a":"a","b":["a","a",{"a":"\\\\"}]}', undefined],
    ['{"":1}', undefined],
    ['{"":1,"":1}', ''],
    [' [ ] ', undefined],
    ['"a"', undefined],
    ['[1,2,[3,4]]', undefined]
  ])('of %s is %j', (text, path) => expect(findRepeatedMember(text)).toBe(path))

  // Names of few characters repeat often; those that JSON escapes are among them.
  const name = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', ',', ':', '\u2028'), maxLength: 2 })
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(fc.constantFrom(null, true, 1.5e3), name),
      fc.record({ items: fc.array(tie('tree'), { maxLength: 4 }) }),
      fc.record({ members: fc.array(fc.tuple(name, tie('tree'), fc.boolean()), { maxLength: 4 }) })
    )
  }))

  test('finds a member if and only if an object has it twice, however the name is written', () => {
    const property = fc.property(tree, fc.constantFrom('', ' ', '\n\t'), (value, space) => {
      expect(findRepeatedMember(format(value, space)) !== undefined).toBe(hasRepeated(value))
    })
    fc.assert(property, { seed, numRuns: runs({ quick: 300, full: 20_000 }) })
  })
})

/** A JSON value whose objects can have a member twice. The last member of a tuple escapes the whole name. */
type Tree =
  | null
  | boolean
  | number
  | string
  | { readonly items: readonly Tree[] }
  | { readonly members: readonly (readonly [name: string, value: Tree, isEscaped: boolean])[] }

function format(tree: Tree, space: string): string {
  if (tree === null || typeof tree !== 'object') return JSON.stringify(tree)
  if ('items' in tree) return `[${space}${tree.items.map((item) => format(item, space)).join(`${space},`)}]`
  const members = tree.members.map(([name, value, isEscaped]) => {
    const escaped = [...name].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
    return `${isEscaped ? `"${escaped}"` : JSON.stringify(name)}${space}:${space}${format(value, space)}`
  })
  return `{${space}${members.join(`${space},${space}`)}}`
}

function hasRepeated(tree: Tree): boolean {
  if (tree === null || typeof tree !== 'object') return false
  if ('items' in tree) return tree.items.some(hasRepeated)
  const names = tree.members.map(([name]) => name)
  return new Set(names).size < names.length || tree.members.some(([, value]) => hasRepeated(value))
}

test.each([
  ['prot', 'port'],
  ['BURGEE_PROT', undefined],
  ['publik-url', 'public-url'],
  ['x', undefined],
  ['PORT', 'port']
])('findNearest(%j) returns %j', (word, expected) => {
  expect(findNearest(word, ['port', 'public-url', 'store'])).toBe(expected)
})

test.each([
  ['q', undefined],
  ['A', 'a'],
  ['ab', 'a'],
  ['no', 'on']
])('findNearest(%j) compares short words: %j', (word, expected) => {
  expect(findNearest(word, ['a', 'on'])).toBe(expected)
})

describe('formatIssues', () => {
  const format = (schema: z.ZodType, value: unknown) => {
    const { error } = schema.safeParse(value)
    return error ? formatIssues(error, value, 'body') : []
  }

  test('names member, expectation and value of each issue', () => {
    const schema = z.strictObject({ key: z.string().min(1), count: z.int(), kind: z.enum(['a', 'b']) })
    expect(format(schema, { key: '', count: 'x', kind: 'c', more: 1 })).toEqual([
      'key should not be empty, got ""',
      'count should be a number, got "x"',
      'kind should be one of a, b, got "c"',
      'property more should not exist'
    ])
  })

  test('reports the closest form of a union', () => {
    const schema = z.union([
      z.object({ type: z.literal('all') }),
      z.object({ type: z.literal('user'), id: z.string() })
    ])
    expect(format(schema, { type: 'user' })).toEqual(['type should be one of all, got "user"'])
  })

  test.each(['newPassword', 'clientSecret', 'client_secret', 'accessToken', 'subject_token', 'recoveryCodes'])(
    'does not repeat the %s',
    (name) => {
      const schema = z.object({ [name]: z.string().min(12) })
      expect(format(schema, { [name]: 'secret' })).toEqual([expect.not.stringContaining('secret"')])
    }
  )

  test('names ten issues at most', () => {
    const issues = format(
      z.array(z.string()),
      Array.from({ length: 12 }, () => 1)
    )
    expect([issues.length, issues.at(-1)]).toEqual([11, 'and 2 more'])
  })
})
