import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Variable } from '@burgee/contract/schemas'
import { idOf } from '@burgee/testing/plan'
import { character } from '@burgee/testing/vitest/character'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { generateFlagsFile } from '../../src/codegen/generateFlagsFile.ts'
import { generateSchemaType } from '../../src/codegen/generateSchemaType.ts'
import { generateValueType } from '../../src/codegen/generateValueType.ts'

/** A folder inside of the package, so that compiled files resolve its dependencies. */
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(fileURLToPath(new URL('../../.codegen-', import.meta.url)))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** The errors of the TypeScript compiler for these files; an empty string without errors. */
async function compiled(files: Readonly<Record<string, string>>, ...flags: readonly string[]): Promise<string> {
  const paths = Object.keys(files).map((name) => join(folder, name))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const compiler = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url))
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    ''
  ]
  try {
    execFileSync(process.execPath, [compiler, ...options, ...flags, ...paths], { encoding: 'utf8', stdio: 'pipe' })
    return ''
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
  }
}

function variableOf(parts: Partial<Variable> & { readonly key: string }): Variable {
  const stamp = { _id: idOf(parts.key), createdAt: '2026-03-01T12:00:00.000Z', updatedAt: '2026-03-01T12:00:00.000Z' }
  return { ...stamp, _project: idOf('shop'), type: 'Boolean', status: 'active', source: 'api', ...parts }
}

function fileOf(variables: readonly Variable[], options: { openFeature?: boolean; obfuscate?: boolean } = {}): string {
  const command = 'burgee types --project shop'
  return generateFlagsFile(variables, { command, openFeature: false, obfuscate: false, ...options })
}

const described = { description: '', exampleValue: '' }

describe('the type of a variable', () => {
  it.each<[Pick<Variable, 'type' | 'validationSchema'>, string]>([
    [{ type: 'Boolean' }, 'boolean'],
    [{ type: 'String' }, 'string'],
    [{ type: 'Number' }, 'number'],
    [{ type: 'JSON' }, 'JsonObject'],
    [
      {
        type: 'String',
        validationSchema: { ...described, schemaType: 'enum', enumValues: ['blue', 'it\'s "\\', 'blue'] }
      },
      '"blue" | "it\'s \\"\\\\"'
    ],
    [
      { type: 'Number', validationSchema: { ...described, schemaType: 'enum', enumValues: [1, -2.5, 1e30] } },
      '1 | -2.5 | 1e+30'
    ],
    [{ type: 'Number', validationSchema: { ...described, schemaType: 'enum', enumValues: ['1'] } }, 'number'],
    [{ type: 'String', validationSchema: { ...described, schemaType: 'regex', regexPattern: '^a$' } }, 'string'],
    [
      {
        type: 'JSON',
        validationSchema: { ...described, schemaType: 'jsonSchema', jsonSchema: '{"required":["items"]}' }
      },
      '{\n  items: Json\n}'
    ]
  ])('%j is %s', (variable, type) => {
    expect(generateValueType(variable)).toBe(type)
  })
})

/** A type on one line. */
function flat(type: string): string {
  return type.replace(/\s+/g, ' ')
}

describe('the type of a JSON Schema', () => {
  it.each<[unknown, string]>([
    [{}, 'JsonObject'],
    [{ type: 'object' }, 'JsonObject'],
    [{ type: ['object', 'null'], nullable: true }, 'JsonObject'],
    [{ $ref: '#/$defs/limits', properties: { a: {} } }, 'JsonObject'],
    [{ properties: { a: { type: 'string' } } }, '{ a?: string }'],
    [
      { required: ['a', 'b', 'b'], properties: { a: { type: 'integer' }, 'it is': { type: 'boolean' } } },
      '{ a: number "it is"?: boolean b: Json }'
    ],
    [
      { properties: { a: { type: ['string', 'null'] }, b: { type: 'number', nullable: true } } },
      '{ a?: string | null b?: number | null }'
    ],
    [
      { properties: { a: { description: 'How many */ of them.', type: 'number' } } },
      '{ /** How many *\\/ of them. */ a?: number }'
    ],
    [
      { properties: { a: { enum: ['x', 1, null, true, 'x'] }, b: { const: 'on' } } },
      '{ a?: "x" | 1 | null | true b?: "on" }'
    ],
    [{ properties: { a: { enum: [] }, b: false, c: true } }, '{ a?: never b?: never c?: Json }'],
    [{ properties: { a: { const: [1, { b: '2' }, {}] } } }, '{ a?: [1, { b: "2" }, JsonObject] }'],
    [{ properties: { a: { type: 'array', items: { type: 'string' } } } }, '{ a?: string[] }'],
    [{ properties: { a: { type: 'array', items: { enum: [1, 2] } } } }, '{ a?: (1 | 2)[] }'],
    [{ properties: { a: { type: 'array' } } }, '{ a?: Json[] }'],
    [{ properties: { a: { type: 'array', items: [{ type: 'string' }] } } }, '{ a?: Json[] }'],
    [{ properties: { a: { type: 'array', prefixItems: [{}], items: { type: 'string' } } } }, '{ a?: Json[] }'],
    [{ additionalProperties: { type: 'number' } }, '{ [member: string]: number }'],
    [{ additionalProperties: { type: 'number' }, patternProperties: { a: {} } }, 'JsonObject'],
    [{ additionalProperties: false }, 'JsonObject'],
    [{ oneOf: [{ properties: { kind: { const: 'a' } } }, { required: ['b'] }] }, '{ kind?: "a" } | { b: Json }'],
    [
      { properties: { a: {} }, anyOf: [{ required: ['b'] }, { required: ['c'] }] },
      '({ a?: Json }) & ({ b: Json } | { c: Json })'
    ],
    [{ allOf: [{ required: ['a'] }, { $ref: '#/x' }] }, '{ a: Json }'],
    [
      { properties: { a: { properties: { b: {} } }, c: { type: 'text' }, d: { if: {}, not: {} } } },
      '{ a?: Json c?: Json d?: Json }'
    ],
    [
      { properties: { a: { type: 'object', nullable: true, anyOf: [{ required: ['b'] }] } } },
      '{ a?: JsonObject | null }'
    ],
    [{ properties: 'none', required: 'none' }, 'JsonObject']
  ])('%j is %s', (schema, type) => {
    expect(flat(generateSchemaType(JSON.stringify(schema)))).toBe(type)
  })

  it('is general for values that are nested too deeply, too large numbers, and invalid schemas', () => {
    const deep = `${'{"properties":{"a":{"type":"object","required":["a"],"additionalProperties":false,"items":'.repeat(1)}1}}}`
    expect(flat(generateSchemaType(deep))).toBe('{ a?: { a: Json } }')
    const nested = `${'{"type":"object","properties":{"a":'.repeat(1000)}{}${'}}'.repeat(1000)}`
    expect(generateSchemaType(nested).split('a?:').length).toBe(22)
    expect(flat(generateSchemaType('{"properties":{"a":{"const":1e999}}}'))).toBe('{ a?: number }')
    expect(generateSchemaType('nonsense')).toBe('JsonObject')
  })
})

describe('the generated file', () => {
  const variables = [
    variableOf({ key: 'checkout-title', name: 'Title', description: 'What the pay button says.', type: 'String' }),
    variableOf({ key: 'beta', name: 'beta' }),
    variableOf({ key: 'limits', name: 'Limits', type: 'JSON' }),
    variableOf({ key: 'gone', status: 'archived' })
  ]

  it('has the active variables ordered by key', () => {
    const text = `// Generated by: burgee types --project shop
// Do not edit. Run the command again after variables have changed.

/** The value types of the variables, by key. */
export interface Flags {
  beta: boolean
  /** What the pay button says. */
  "checkout-title": string
  /** Limits */
  limits: JsonObject
}

/** Any JSON object. */
export type JsonObject = { [member: string]: Json }

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject
`
    expect(fileOf(variables)).toBe(text)
    expect(fileOf(variables.toReversed())).toBe(text)
  })

  it('names variables as obfuscated configs do', () => {
    const text = fileOf(variables, { obfuscate: true })
    expect(text).toMatch(/\/\*\* `beta` \*\/\n {2}dvc_obfs_[0-9a-f]{64}: boolean\n/)
    expect(text).toContain('/** `checkout-title`: What the pay button says. */')
    expect(text).not.toContain('"checkout-title":')
  })

  it('declares the keys and types for OpenFeature clients', async () => {
    const text = fileOf(variables, { openFeature: true })
    const use = (lines: string) => `import { OpenFeature } from '@openfeature/server-sdk'
import type { Flags } from './flags.d.ts'
const client = OpenFeature.getClient()
const limits: Flags['limits'] = await client.getObjectValue<Flags['limits']>('limits', {})
const title: Flags['checkout-title'] = await client.getStringValue('checkout-title', 'Pay')
export { limits, title }
${lines}`
    const run = (lines: string) => compiled({ 'flags.d.ts': text, 'use.ts': use(lines) }, '--skipLibCheck')
    expect(await run("await client.getBooleanValue('beta', false)")).toBe('')
    expect(await run("await client.getBooleanValue('bta', false)")).toMatch(/use\.ts.*"bta"/)
    expect(await run("await client.getNumberValue('beta', 1)")).toMatch(/use\.ts/)
  })

  it('types the reads of core and its test helpers', async () => {
    const use = `import { compile, type Config, ofrepFlags, recompile } from '@burgee/core'
import { testConfig } from '@burgee/core/testing'
import type { Flags } from './flags.ts'
declare const config: Config
const evaluator = compile<Flags>(config)
ofrepFlags(recompile(config, evaluator), { user: { user_id: 'ada' } })
const title: string | undefined = evaluator.variable({ user_id: 'ada' }, 'checkout-title')?.value
const beta: boolean | undefined = testConfig<Flags>({ beta: true }).set('beta', false).value('ada', 'beta')
// @ts-expect-error
evaluator.variable({ user_id: 'ada' }, 'gone')
// @ts-expect-error
testConfig<Flags>({ gone: true })
// @ts-expect-error
testConfig<Flags>({ beta: 'yes' })
const anything: string | undefined = compile(config).variable({ user_id: 'ada' }, 'gone')?.key
export { anything, beta, title }
`
    expect(await compiled({ 'flags.ts': fileOf(variables), 'use.ts': use })).toBe('')
  })

  it('is empty without variables', async () => {
    const text = fileOf([], { openFeature: true })
    expect(text).toContain('export interface Flags {\n}')
    expect(text).toContain('export type BooleanFlagKey = never')
    expect(await compiled({ 'flags.d.ts': text }, '--skipLibCheck')).toBe('')
  })
})

/** Texts that try to break out of their context. */
const hostileText = fc.oneof(
  fc.string({ unit: character, maxLength: 20 }),
  fc
    .array(
      fc.constantFrom(
        '*/',
        '/*',
        '//',
        '\n',
        '\r',
        '\u2028',
        '\\',
        '"',
        "'",
        '`',
        '${',
        '}',
        ';',
        'export',
        '@',
        '* /',
        '\0',
        '\u001b]0;',
        '\u202e',
        '\ud800'
      ),
      { maxLength: 6 }
    )
    .map((parts) => parts.join(''))
)
const property = fc.record({ name: hostileText, description: hostileText, value: hostileText })

test('any variables, schemas and descriptions generate a file that compiles and declares only their types', async () => {
  const cases = fc.sample(fc.tuple(hostileText, fc.array(property, { maxLength: 3 }), hostileText), 200)
  const variables = cases.map(([description, properties, choice], index): Variable => {
    const schema = {
      properties: Object.fromEntries(
        properties.map(({ name, description, value }) => [name, { description, enum: [value, { [value]: value }] }])
      )
    }
    const key = `variable-${index}`
    return index % 2 === 0
      ? variableOf({
          key,
          description,
          type: 'JSON',
          validationSchema: { ...described, schemaType: 'jsonSchema', jsonSchema: JSON.stringify(schema) }
        })
      : variableOf({
          key,
          name: description,
          type: 'String',
          validationSchema: { ...described, schemaType: 'enum', enumValues: [choice] }
        })
  })
  const text = fileOf(variables)
  expect(text).not.toMatch(/[^\P{Cc}\n\t]|\p{Bidi_Control}/u)
  const use = `import type { Flags } from './flags.ts'
const keys: { [Key in keyof Flags]: true } = { ${variables.map(({ key }) => `'${key}': true`).join(', ')} }
const choices: Pick<Flags, ${variables.flatMap(({ key }, index) => (index % 2 === 1 ? [`'${key}'`] : [])).join(' | ')}> = {
${cases.flatMap(([, , choice], index) => (index % 2 === 1 ? [`'variable-${index}': ${JSON.stringify(choice)}`] : [])).join(',\n')}
}
export { choices, keys }
`
  expect(await compiled({ 'flags.ts': text, 'use.ts': use })).toBe('')
})
