import { describe, expect, it } from 'vitest'
import { cleanUpText } from '../../src/code/script/cleanup/cleanUpText.ts'
import { foldReads } from '../../src/code/script/cleanup/foldReads.ts'
import type { Value } from '../../src/code/script/cleanup/knownValue.ts'
import { removeUnused } from '../../src/code/script/cleanup/removeUnused.ts'
import { findReads, scanScript } from '../../src/code/script/scanScript.ts'
import { parseScript } from '../../src/code/script/syntax.ts'
import { unifiedDiff } from '../../src/code/unifiedDiff.ts'

/** Removes variable `a` from a text. */
function cleanUp(text: string, value: Value, file = 'a.tsx') {
  const script = parseScript(text, file)
  const context = {
    wrappers: [],
    clients: ['flags'],
    aliases: new Map(),
    knownKeys: undefined,
    readModule: () => undefined
  }
  const reads = findReads(script, file, context).filter(({ keys }) => keys.includes('a'))
  const { text: folded, left } = foldReads(script, reads, value)
  return { text: removeUnused(text, folded, file), left: left.length }
}

describe('a variable is removed', () => {
  it.each([
    [
      'of an if',
      'if (flags.getBooleanValue("a", false)) {\n  one()\n  two()\n}\nrest()\n',
      true,
      'one()\ntwo()\nrest()\n'
    ],
    [
      'of an if that is false',
      'start()\nif (flags.getBooleanValue("a", false)) {\n  one()\n}\nrest()\n',
      false,
      'start()\nrest()\n'
    ],
    ['of an else', 'if (!flags.getBooleanValue("a", false)) one()\nelse two()\n', true, 'two()\n'],
    [
      'of an else if',
      'if (x) one()\nelse if (flags.getBooleanValue("a", false)) two()\nelse three()\n',
      false,
      'if (x) one()\nelse three()\n'
    ],
    [
      'of an else if that falls away',
      'if (x) {\n  one()\n} else if (flags.getBooleanValue("a", false)) {\n  two()\n}\n',
      false,
      'if (x) {\n  one()\n}\n'
    ],
    ['of a conditional', 'const x = flags.getBooleanValue("a", false) ? one() : two()\n', true, 'const x = one()\n'],
    ['of a text', `const x = \`c-\${flags.getStringValue("a", "red")}\`\n`, "it's", `const x = \`c-\${'it\\'s'}\`\n`],
    ['of a number', 'wait(flags.getNumberValue("a", 1) * 1000)\n', 5, 'wait(5 * 1000)\n'],
    ['of an object', 'show(flags.getObjectValue("a", {}))\n', { b: 1 }, 'show({"b":1})\n'],
    [
      'of an object that a function returns',
      'const f = () => flags.getObjectValue("a", {})\n',
      { b: 1 },
      'const f = () => ({"b":1})\n'
    ],
    ['of a number after a minus', 'x = 3 -flags.getNumberValue("a", 1)\n', -1, 'x = 3 -(-1)\n'],
    ['of details', 'if (flags.getBooleanDetails("a", false).value) one()\n', true, 'one()\n'],
    [
      'of a promise',
      'async function f() {\n  if (await flags.getBooleanValue("a", false)) one()\n}\n',
      true,
      'async function f() {\n  one()\n}\n'
    ],
    ['of && and ||', 'x = flags.getBooleanValue("a", false) && (y || z)\n', true, 'x = y || z\n'],
    ['of a condition', 'if (y && flags.getBooleanValue("a", false)) one()\n', true, 'if (y) one()\n'],
    ['of a comparison', 'if (flags.getStringValue("a", "") === "red") one()\nelse two()\n', 'blue', 'two()\n'],
    [
      'of an element',
      'const A = () => <p>{flags.getBooleanValue("a", false) ? <B /> : <C />}</p>\n',
      true,
      'const A = () => <p>{<B />}</p>\n'
    ],
    [
      'and what follows a return falls away',
      'function f() {\n  if (flags.getBooleanValue("a", false)) {\n    return 1\n  }\n  return 2\n}\n',
      true,
      'function f() {\n  return 1\n}\n'
    ],
    [
      'through a constant, with its import and key',
      "import { KEY, other } from './keys'\nconst isOn = flags.getBooleanValue(A, false)\nconst A = 'a'\nexport const f = () => (isOn ? other : KEY)\n",
      true,
      "import { other } from './keys'\nexport const f = () => (other)\n"
    ]
  ])('%s', (_, text, value, expected) => {
    expect(cleanUp(text, value)).toEqual({ text: expected, left: 0 })
  })

  it('and all other text stays, comments and odd spaces too', () => {
    const text =
      '// keep\nconst  odd   = [1,\n 2]\n\nif (flags.getBooleanValue("a", false)) {\n  // why\n  one() ;\n}\n\n/* end */\n'
    expect(cleanUp(text, true).text).toBe('// keep\nconst  odd   = [1,\n 2]\n\n// why\none() ;\n\n/* end */\n')
  })

  it('and a block keeps its braces where its names would meet others', () => {
    const text = 'const x = 1\nif (flags.getBooleanValue("a", false)) {\n  const x = 2\n  use(x)\n}\nuse(x)\n'
    expect(cleanUp(text, true).text).toBe('const x = 1\n{\n  const x = 2\n  use(x)\n}\nuse(x)\n')
  })

  it('except where more than the value is used, or one of several keys is read', () => {
    const text = 'log(flags.getBooleanDetails("a", false))\nflags.getBooleanValue(x ? "a" : "b", false)\n'
    expect(cleanUp(text, true)).toEqual({ text, left: 2 })
  })

  it('and a constant that another scope hides is not inlined', () => {
    const text =
      'const isOn = flags.getBooleanValue("a", false)\nfunction f(isOn: boolean) {\n  return isOn\n}\nif (isOn) f(isOn)\n'
    expect(cleanUp(text, true).text).toContain('const isOn = true\n')
  })
})

it('a difference has three lines of context and the numbers of its lines', () => {
  const before = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`)
  const after = before.flatMap((line) => (line === 'line 2' ? [] : line === 'line 11' ? ['new', line] : [line]))
  expect(unifiedDiff('a.ts', before.join('\n'), after.join('\n'))).toBe(
    [
      '--- a/a.ts',
      '+++ b/a.ts',
      '@@ -1,5 +1,4 @@',
      ' line 1',
      '-line 2',
      ...[3, 4, 5].map((n) => ` line ${n}`),
      '@@ -8,5 +7,6 @@',
      ...[8, 9, 10].map((n) => ` line ${n}`),
      '+new',
      ...[11, 12].map((n) => ` line ${n}`)
    ].join('\n')
  )
  expect(unifiedDiff('a.ts', 'same', 'same')).toBe('')
})

it('a difference of long texts takes bounded memory: all lines between the equal ends count as different', () => {
  const many = (name: string) =>
    Array.from({ length: 4000 }, (_, index) => (index === 2000 ? 'same' : `${name} ${index}`))
  const lines = unifiedDiff('a.ts', ['first', ...many('a')].join('\n'), ['first', ...many('b')].join('\n')).split('\n')
  expect(lines.slice(2, 4)).toEqual(['@@ -1,4001 +1,4001 @@', ' first'])
  expect(lines.filter((line) => line === '-same' || line === '+same')).toHaveLength(2)
})

describe('a variable is removed from the scripts of a component', () => {
  const options = { wrappers: [], clients: ['flags'], aliases: new Map(), knownKeys: undefined }
  const clean = (text: string, file: string) =>
    cleanUpText(text, file, { ...options, readModule: () => undefined, variable: 'a', value: true })

  it.each([
    [
      'of Vue, with the names that its template uses',
      'a.vue',
      `<template>\n  <New v-if="isOn" />\n  <p>{{ a < b }}</p>\n</template>\n<script setup lang="ts">\nimport New from './New.vue'\nimport { flags } from './flags'\nconst isOn = flags.getBooleanValue("a", false)\nconst b: number = 1\n</script>\n`,
      `<template>\n  <New v-if="isOn" />\n  <p>{{ a < b }}</p>\n</template>\n<script setup lang="ts">\nimport New from './New.vue'\nconst isOn = true\nconst b: number = 1\n</script>\n`
    ],
    [
      'of Vue, with conditions of its script',
      'a.vue',
      `<script>\nexport default {}\n</script>\n<script setup>\nif (flags.getBooleanValue("a", false)) {\n  one()\n} else {\n  two()\n}\n</script>\n<style>a { color: red }</style>\n`,
      `<script>\nexport default {}\n</script>\n<script setup>\none()\n</script>\n<style>a { color: red }</style>\n`
    ],
    [
      'of Svelte',
      'a.svelte',
      `<script lang="ts">\n  const title = flags.getBooleanValue("a", false) ? 'New' : 'Old'\n</script>\n{#if title}<h1>{title}</h1>{/if}\n`,
      `<script lang="ts">\n  const title = 'New'\n</script>\n{#if title}<h1>{title}</h1>{/if}\n`
    ]
  ])('%s', (_, file, before, after) => {
    expect(clean(before, file)).toBe(after)
    expect(scanScript(after, file, { ...options, readModule: () => undefined }).reads).toEqual([])
  })

  it('a component without reads stays as it is, byte for byte', () => {
    const text = '<script>\r\nconst x = 1\r\n</script>\r\n<p>{{ x }}</p>'
    expect(clean(text, 'a.vue')).toBe(text)
  })
})
