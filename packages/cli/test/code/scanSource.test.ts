import { describe, expect, it } from 'vitest'
import { scanSource } from '../../src/code/scanSource.ts'
import type { ScanOptions } from '../../src/code/source/codeRead.ts'

/** Scans files that are given as texts. */
function scan(files: Readonly<Record<string, string>>, options: Partial<ScanOptions> = {}) {
  const source = { files: Object.keys(files), read: (file: string) => files[file] }
  return scanSource(source, {
    wrappers: [],
    clients: [],
    aliases: new Map(),
    knownKeys: undefined,
    include: [],
    exclude: [],
    ...options
  })
}

const keysOf = (files: Readonly<Record<string, string>>, options: Partial<ScanOptions> = {}) =>
  scan(files, options).reads.map(({ key }) => key)

const sdk = "import { OpenFeature } from '@openfeature/server-sdk'\nconst flags = OpenFeature.getClient()\n"

describe('reads of JavaScript and TypeScript', () => {
  it('have their place, and are certain where the client comes from an SDK', () => {
    const text = `${sdk}if (await flags.getBooleanValue(\n  'new-checkout',\n  false\n)) start()\n`
    expect(scan({ 'src/cart.ts': text }).reads).toEqual([
      {
        key: 'new-checkout',
        file: 'src/cart.ts',
        language: 'typescript',
        line: 3,
        column: 11,
        endLine: 6,
        confidence: 'certain',
        isTest: false
      }
    ])
  })

  it.each([
    ['a literal in a template', 'flags.getStringValue(`a`, "")', ['a']],
    ['optional calls', 'flags?.getNumberDetails?.("a", 1)', ['a']],
    ['computed names', 'flags["getObjectValue"]("a", {})', ['a']],
    ['one of two keys', 'flags.getBooleanValue(x ? "a" : "b", false)', ['a', 'b']],
    ['a constant', 'const KEY = "a" as const; flags.getBooleanValue(KEY, false)', ['a']],
    ['a member of an object', 'const K = Object.freeze({ x: { y: "a" } }); flags.getBooleanValue(K.x.y, false)', ['a']],
    ['a member of an enum', 'enum K { X = "a" }; flags.getBooleanValue(K.X, false)', ['a']],
    ['a type assertion', 'flags.getBooleanValue(("a" as FlagKey)!, false)', ['a']],
    ['an SDK with the user first', 'flags.variableValue({ user_id: "u" }, "a", false)', ['a']],
    ['an SDK without a user', 'flags.variableValue("a", false)', ['a']],
    ['a hook', 'import { useBooleanFlagValue } from "@openfeature/react-sdk"; useBooleanFlagValue("a", false)', ['a']],
    [
      'a decorator',
      'class A { @RequireFlagsEnabled({ flags: [{ flagKey: "a" }, { flagKey: "b" }] }) get() {} }',
      ['a', 'b']
    ],
    ['the result of another call', 'OpenFeature.getClient("shop").getBooleanValue("a", true)', ['a']],
    [
      'a parameter with the type of a client',
      'import type { Client } from "@openfeature/server-sdk"; function f(c: Client) { c.getBooleanValue("a", true) }',
      ['a']
    ],
    ['comments and texts', '// flags.getBooleanValue("a", false)\nconst text = "getBooleanValue(\'b\')"', []]
  ])('are found with %s', (_, text, expected) => {
    expect(keysOf({ 'a.ts': sdk + text })).toEqual(expected)
  })

  it('are found in elements, components and decorated classes', () => {
    const element =
      'import { FeatureFlag } from "@openfeature/react-sdk"\nexport const A = () => <FeatureFlag flagKey="a"><B /></FeatureFlag>'
    const vue = `<template><p/></template>\n<script setup lang="ts">\n${sdk}flags.getBooleanValue("b", false)\n</script>\n`
    const { reads } = scan({ 'a.tsx': element, 'b.vue': vue })
    expect(reads.map(({ key, line, confidence }) => [key, line, confidence])).toEqual([
      ['a', 2, 'certain'],
      ['b', 5, 'certain']
    ])
  })

  it('have keys of other files: named, default and all exports, through .js', () => {
    const files = {
      'src/keys.ts': 'export const A = "a"\nexport enum K { B = "b" }\nexport default { c: "c" }',
      'src/app/one.ts': `${sdk}import keys, { A, K as L } from '../keys.js'\nimport * as all from '../keys'\nflags.getBooleanValue(A, false); flags.getBooleanValue(L.B, false); flags.getBooleanValue(keys.c, false); flags.getBooleanValue(all.A, false)`
    }
    expect(keysOf(files)).toEqual(['a', 'b', 'c', 'a'])
  })

  it('are dynamic where the key is only known at run time', () => {
    const { reads, dynamic } = scan({
      'a.ts': `${sdk}for (const k of list()) flags.getBooleanValue('x-' + k, false)`
    })
    expect([reads, dynamic.map(({ expression, line }) => [expression, line])]).toEqual([[], [["'x-' + k", 3]]])
  })

  it('need a key of the project where the name of the call is common', () => {
    const text = 'import { api } from "./api"\napi.variable(user, "a"); Promise.resolve("b"); api.explain(user, "c")'
    expect(keysOf({ 'a.ts': text })).toEqual([])
    expect(scan({ 'a.ts': text }, { knownKeys: new Set(['a']) }).reads).toMatchObject([
      { key: 'a', confidence: 'likely' }
    ])
  })

  it('are found with declared wrappers, clients and aliases', () => {
    const text = 'track("x", "a"); isOn("b"); store.flags.variable("c", 1); store.flags.getBooleanValue(FLAGS.d, true)'
    const options = {
      wrappers: [
        { name: 'track', position: 1 },
        { name: 'isOn', position: 0 }
      ],
      clients: ['store.flags'],
      aliases: new Map([['FLAGS.d', 'd']])
    }
    const { reads } = scan({ 'a.js': text }, options)
    expect(reads.map(({ key, confidence }) => `${key} ${confidence}`)).toEqual(
      ['a', 'b', 'c', 'd'].map((key) => `${key} certain`)
    )
  })

  it('are found around a syntax error, which is reported', () => {
    const { reads, problems } = scan({ 'a.ts': `${sdk}flags.getBooleanValue("a", false)\nconst = = {{{` })
    expect([reads.map(({ key }) => key), problems]).toEqual([
      ['a'],
      [{ file: 'a.ts', isSearched: true, message: expect.any(String) }]
    ])
  })
})

it.each([
  ['a.test.ts', true],
  ['src/__tests__/a.ts', true],
  ['test/a.ts', true],
  ['src/contest/a.ts', false]
])('reads in %s: in a test is %s', (file, isTest) => {
  expect(scan({ [file]: `${sdk}flags.getBooleanValue("a", false)` }).reads).toMatchObject([{ isTest }])
})

it('leaves out excluded files, minified ones and dependencies', () => {
  const text = `${sdk}flags.getBooleanValue("a", false)`
  const files = Object.fromEntries(
    ['a.ts', 'src/b.ts', 'src/b.min.js', 'node_modules/c/c.js', 'gen/d.ts'].map((file) => [file, text])
  )
  const source = { files: Object.keys(files), read: (file: string) => files[file] }
  const options = { wrappers: [], clients: [], aliases: new Map(), knownKeys: undefined }
  const found = (include: string[]) =>
    scanSource(source, { ...options, include, exclude: ['gen/**'] }).reads.map(({ file }) => file)
  expect([found([]), found(['src/**']), found(['*.{ts,js}'])]).toEqual([
    ['a.ts', 'src/b.ts'],
    ['src/b.ts'],
    ['a.ts', 'src/b.ts']
  ])
})

describe('reads of other languages', () => {
  it.each([
    [
      'a.py',
      'client.get_boolean_value("a", False)\n# client.get_boolean_value("no", False)\n"""get_string_value("no", "")"""'
    ],
    ['a.py', 'KEY = "a"\nclient.get_string_details(flag_key=KEY, default_value="")'],
    ['a.go', 'const Key = "a"\nv, _ := client.BooleanValue(ctx, Key, false, openfeature.EvaluationContext{})'],
    ['a.go', 'client.VariableValue(user, "a", true) // client.VariableValue(user, "no", true)'],
    ['A.java', 'private static final String KEY = "a";\nclient.getBooleanValue(KEY, false);'],
    ['A.kt', 'val on = client.getBooleanValue("a", false) /* getBooleanValue("no", true) */'],
    ['A.cs', 'var on = await client.GetBooleanValueAsync("a", false);'],
    ['a.rb', "client.fetch_boolean_value(flag_key: 'a', default_value: false)"],
    ['a.rb', "client.variable_value(user, 'a', false)"],
    ['a.php', "$on = $client->getBooleanValue('a', false);"],
    ['a.php', "$on = $client->variableValue($user, 'a', false);"],
    ['A.swift', 'let on = client.getValue(key: "a", defaultValue: false)'],
    ['a.dart', "final on = await client.getBooleanValue('a', defaultValue: false);"],
    ['a.rs', 'let on = client.get_bool_value("a", None, None).await; // it\'s'],
    ['a.ex', 'Client.get_boolean_value(client, "a", false)']
  ])('are found in %s: %s', (file, text) => {
    expect(scan({ [file]: text }).reads.map(({ key, confidence }) => [key, confidence])).toEqual([['a', 'likely']])
  })

  it.each([
    ['a.py', 'from openfeature import api', 'api.get_client().get_boolean_value("a", False)'],
    ['a.py', 'import openfeature.api', 'client.get_string_details(flag_key="a", default_value="")'],
    ['a.go', 'import "github.com/open-feature/go-sdk/openfeature"', 'v, _ := client.BooleanValue(ctx, "a", false, e)'],
    [
      'a.go',
      'import (\n\tof "github.com/open-feature/go-sdk/openfeature"\n)',
      'on := client.Boolean(ctx, "a", false, e)'
    ],
    ['A.java', 'import dev.openfeature.sdk.Client;', 'client.getBooleanValue("a", false);']
  ])('are certain in %s with %s, if the key is a literal and the project has it: %s', (file, head, call) => {
    const confidenceOf = (text: string, knownKeys?: ReadonlySet<string>) =>
      scan({ [file]: text }, { knownKeys }).reads.map(({ key, confidence }) => `${key} ${confidence}`)
    const known = new Set(['a'])
    expect(confidenceOf(`${head}\n${call}`, known)).toEqual(['a certain'])
    expect(confidenceOf(`${head}\n${call}`)).toEqual(['a likely'])
    expect(confidenceOf(`${head}\n${call}`, new Set(['b']))).toEqual(['a likely'])
    expect(confidenceOf(call, known)).toEqual(['a likely'])
    expect(confidenceOf(`${head}\nKEY = "a"\n${call.replace('"a"', 'KEY')}`, known)).toEqual(['a likely'])
  })

  it('are dynamic where the key is a variable', () => {
    const { reads, dynamic } = scan({ 'a.py': 'client.get_boolean_value(name, False)' })
    expect([reads, dynamic.map(({ expression }) => expression)]).toEqual([[], ['name']])
  })
})

it('finds the short methods of the OpenFeature SDK of Go', () => {
  expect(keysOf({ 'main.go': 'on := client.Boolean(ctx, "support-chat", false, evalCtx)\n' })).toEqual(['support-chat'])
})

it('lists keys with expressions in a text as dynamic', () => {
  const { reads, dynamic } = scan({ 'a.py': 'client.get_boolean_details(f"dyn-{x}", False)\n' })
  expect([reads, dynamic]).toEqual([[], [expect.objectContaining({ expression: 'f"dyn-{x}"', line: 1 })]])
})
