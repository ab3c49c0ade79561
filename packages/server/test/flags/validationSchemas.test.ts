import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { createSchemaCheckBudget, createValueCheckBudget } from '../../src/flags/variables/timeBudget.ts'
import { validateVariableSchema, validateVariableValues } from '../../src/flags/variables/validation.ts'
import { HttpError } from '../../src/lib/errors.ts'

let server: TestServer
let count = 0

beforeAll(async () => {
  server = await serve({})
})

/** Creates a variable with this schema. */
function create(type: string, schema: object): Promise<ApiResponse> {
  count += 1
  const validationSchema = { description: 'What it should be', ...schema }
  return call(server, 'createVariable', {
    params: { project: 'shop' },
    body: { key: `variable-${count}`, type, validationSchema }
  })
}

function jsonSchema(schema: unknown, exampleValue: unknown = {}) {
  return { schemaType: 'jsonSchema', jsonSchema: JSON.stringify(schema), exampleValue }
}

const colours = { schemaType: 'enum', enumValues: ['blue', 'green'], exampleValue: 'blue' }
const sizes = { schemaType: 'enum', enumValues: [1, 2.5], exampleValue: 2.5 }
const word = { schemaType: 'regex', regexPattern: '^[a-z]+$', exampleValue: 'word' }
const point = {
  type: 'object',
  properties: { x: { $ref: '#/$defs/coordinate' }, name: { type: 'string', pattern: '^[a-z]+$' } },
  required: ['x'],
  additionalProperties: false,
  $defs: { coordinate: { type: 'number', minimum: 0 } }
}

describe('a validation schema', () => {
  test.each([
    ['String', colours],
    ['Number', sizes],
    ['String', word],
    ['String', { schemaType: 'regex', regexPattern: '\\d', exampleValue: 'has 1 somewhere' }],
    ['JSON', jsonSchema(point, { x: 1, name: 'a' })],
    ['JSON', jsonSchema({ $schema: 'https://json-schema.org/draft/2020-12/schema', minProperties: 0 })],
    ['JSON', jsonSchema({ $schema: 'http://json-schema.org/draft-07/schema#', definitions: { a: {} } })],
    ['JSON', jsonSchema({ 'x-our-own': 1, properties: { mail: { format: 'email' } } }, { mail: 'no address' })]
  ])('of a %s variable can be %j', async (type, schema) => {
    const { status, body } = await create(type, schema)
    expect(status).toBe(201)
    expect(body.validationSchema).toEqual({ description: 'What it should be', ...schema })
  })

  test.each([
    ['Number', colours, 'validationSchema.enumValues should be of type Number, got "blue"'],
    ['String', sizes, 'validationSchema.enumValues should be of type String, got 1'],
    ['Boolean', colours, /schemaType enum supports variables of type String and Number, got type Boolean$/],
    ['JSON', colours, /schemaType enum supports variables of type String and Number, got type JSON$/],
    ['Number', word, /schemaType regex supports variables of type String, got type Number$/],
    ['String', jsonSchema({}), /schemaType jsonSchema supports variables of type JSON, got type String$/],
    [
      'String',
      { ...colours, exampleValue: 'red' },
      'validationSchema.exampleValue should be one of "blue", "green", got "red"'
    ],
    ['String', { ...colours, exampleValue: 5 }, 'validationSchema.exampleValue should be a string, got 5'],
    ['String', { ...word, exampleValue: 'A' }, 'validationSchema.exampleValue should match "^[a-z]+$", got "A"'],
    [
      'String',
      { ...word, regexPattern: '(?=a)' },
      /^validationSchema.regexPattern should be a regular expression of RE2/
    ],
    [
      'String',
      { ...word, regexPattern: '(a)\\1' },
      /^validationSchema.regexPattern should be a regular expression of RE2/
    ],
    ['String', { ...word, regexPattern: '(a{1000}){1000}' }, /^validationSchema.regexPattern should be/],
    ['String', { ...word, regexPattern: '(' }, /^validationSchema.regexPattern should be a regular expression/],
    ['JSON', { ...jsonSchema({}), jsonSchema: '{' }, /^validationSchema.jsonSchema should be the JSON text/],
    ['JSON', { ...jsonSchema({}), jsonSchema: '[]' }, /^validationSchema.jsonSchema should be the JSON text/],
    ['JSON', jsonSchema({ type: 'objekt' }), /jsonSchema should be a JSON Schema: \/type must be equal to one of/],
    [
      'JSON',
      jsonSchema({ $schema: 'http://json-schema.org/draft-04/schema#' }),
      /should be of draft 2020-12 or draft-07/
    ],
    ['JSON', jsonSchema({ $ref: 'http://127.0.0.1:1/schema' }), /refer only to its own parts.* got \$ref "http:/],
    ['JSON', jsonSchema({ $ref: '#/$defs/missing' }), /refer only to its own parts/],
    ['JSON', jsonSchema({ properties: { a: { pattern: '(?=a)' } } }), /jsonSchema should compile/],
    ['JSON', jsonSchema({ patternProperties: { '(?=a)': {} } }), /jsonSchema should compile/],
    ['JSON', jsonSchema({ $async: true, type: 'object' }), /should not have the member \$async/],
    ['JSON', jsonSchema({ description: 'a'.repeat(65_536) }), /should have at most 65536 characters, got/],
    [
      'JSON',
      jsonSchema(point, { x: -1 }),
      /^validationSchema.exampleValue should fit its JSON Schema: \/x must be >= 0/
    ],
    [
      'JSON',
      jsonSchema(point, { x: 1, name: 'A' }),
      /exampleValue should fit its JSON Schema: \/name must match pattern/
    ],
    [
      'JSON',
      { ...jsonSchema({}), exampleValue: 'text' },
      'validationSchema.exampleValue should be a JSON object, got "text"'
    ]
  ])('of a %s variable cannot be %j', async (type, schema, message) => {
    const { status, body } = await create(type, schema)
    expect(status).toBe(400)
    expect(body.message).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)])
    const found = await call(server, 'getVariable', { params: { project: 'shop', key: `variable-${count}` } })
    expect(found.status).toBe(404)
  })

  it('can be set later and removed again', async () => {
    await create('String', colours)
    const params = { project: 'shop', key: `variable-${count}` }
    const change = (validationSchema: unknown) => call(server, 'updateVariable', { params, body: { validationSchema } })
    const other = { description: '', ...word }
    expect((await change(other)).body.validationSchema).toEqual(other)
    expect((await change(null)).body).not.toHaveProperty('validationSchema')
    expect((await call(server, 'getVariable', { params })).body).not.toHaveProperty('validationSchema')
    expect((await change({ description: '', ...sizes })).status).toBe(400)
  })
})

describe('checking values', () => {
  const checked = (schema: object, value: unknown, type: 'String' | 'JSON' = 'String') => {
    // The contract's schema has the same members.
    const validationSchema = { description: '', exampleValue: '', ...schema } as never
    return validateVariableValues({ key: 'x', type, validationSchema }, [value], createValueCheckBudget())[0]
  }

  it('names the variable, the expected value and the given one', () => {
    expect(checked(colours, 'red')).toBe('variable "x" should be one of "blue", "green", got "red"')
    expect(checked(colours, 'blue')).toBe(undefined)
  })

  test.each([
    ['JSON', [], 'variable "x" should be a JSON object, got []'],
    ['Number', '1', 'variable "x" should be a number, got "1"'],
    ['Boolean', null, 'variable "x" should be a boolean, got null']
  ] as const)('checks the type %s without a schema', (type, value, message) => {
    expect(validateVariableValues({ key: 'x', type }, [value], createValueCheckBudget())).toEqual([message])
  })

  it('lists some of many choices', () => {
    const enumValues = Array.from({ length: 1000 }, (_, index) => `choice ${index}`)
    const mistake = checked({ schemaType: 'enum', enumValues }, 'other')
    expect(mistake).toMatch(/"choice 9" and 990 more, got "other"$/)
  })

  const answered = (check: () => string | undefined) => {
    try {
      return check()
    } catch (error) {
      return error instanceof HttpError ? error.message : undefined
    }
  }

  const chain = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const $ref = `#/$defs/${index + 1}`
      return [index, { allOf: [{ $ref }, { $ref }] }]
    })
  )

  // Each would take a naive check hours.
  test.each([
    [
      'a pattern that others backtrack in',
      { schemaType: 'regex', regexPattern: '^(a+)+$' },
      `${'a'.repeat(50_000)}!`,
      'String'
    ],
    [
      'such a pattern in a JSON Schema',
      jsonSchema({ properties: { a: { pattern: '^(a+)+$' } } }),
      { a: `${'a'.repeat(50_000)}!` },
      'JSON'
    ],
    [
      'such a pattern of member names',
      jsonSchema({ patternProperties: { '^(a+)+$': {} }, additionalProperties: false }),
      { [`${'a'.repeat(50_000)}!`]: 1 },
      'JSON'
    ],
    [
      'references that double at each step',
      jsonSchema({ $ref: '#/$defs/0', $defs: { ...chain, 40: { type: 'object' } } }),
      {},
      'JSON'
    ],
    ['a schema that is itself', jsonSchema({ $ref: '#' }), {}, 'JSON'],
    [
      'a comparison of everything with everything',
      jsonSchema({ properties: { a: { uniqueItems: true } } }),
      { a: Array.from({ length: 90_000 }, (_, i) => ({ i })) },
      'JSON'
    ]
  ] as const)('ends soon for %s', (_, schema, value, type) => {
    const start = performance.now()
    expect(answered(() => checked(schema, value, type))).toMatch(
      /^variable "x" should|^checking variable "x" takes too long/
    )
    expect(performance.now() - start).toBeLessThan(30_000)
  })

  it('continues after a check that timed out', () => {
    const schema = jsonSchema({ $ref: '#/$defs/0', $defs: { ...chain, 40: { type: 'object' } } })
    expect(() => checked(schema, {}, 'JSON')).toThrow('takes too long')
    expect(checked(jsonSchema(point), { x: 1 }, 'JSON')).toBe(undefined)
    expect(checked(jsonSchema(point), { x: 'a' }, 'JSON')).toMatch(/x must be number/)
  })

  it('repeats a check that timed out while the machine was busy with other work', () => {
    let attempts = 0
    const stall = () => {
      attempts += 1
      if (attempts === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)
      return 'valid'
    }
    expect([createValueCheckBudget().run('checking', stall), attempts]).toEqual(['valid', 2])
  })

  it('shares one time budget, which a slow check uses up', () => {
    const endless = {
      ...jsonSchema({ $ref: '#/$defs/0', $defs: { ...chain, 40: { type: 'object' } } }),
      description: ''
    }
    const budget = createValueCheckBudget()
    // The contract's schema has the same members.
    const check = (schema: object) => {
      return validateVariableValues({ key: 'x', type: 'JSON', validationSchema: schema as never }, [{}], budget)
    }
    expect(check({ ...jsonSchema({}), description: '' })).toEqual([undefined])
    expect(() => check(endless)).toThrow('checking variable "x" takes too long')
    expect(() => check({ ...jsonSchema({}), description: '' })).toThrow('checking variable "x" takes too long')
  })

  it('ends a request at the first value that times out', async () => {
    const depth = 30
    const doubling = Object.fromEntries(
      Array.from({ length: depth }, (_, index) => {
        const $ref = `#/$defs/${index + 1}`
        return [index, { allOf: [{ $ref }, { $ref }] }]
      })
    )
    // The example is checked fast because it lacks the member; a value with it takes forever.
    const schema = { properties: { deep: { $ref: '#/$defs/0' } }, $defs: { ...doubling, [depth]: { type: 'object' } } }
    const { status, body } = await call(server, 'createFeature', {
      params: { project: 'shop' },
      body: {
        key: 'slow',
        name: 'Slow',
        variables: [
          { key: 'slow-value', type: 'JSON', validationSchema: { ...jsonSchema(schema), description: 'Deep' } }
        ],
        variations: Array.from({ length: 10 }, (_, index) => {
          return { key: `v-${index}`, name: 'V', variables: { 'slow-value': { deep: {} } } }
        })
      }
    })
    expect([status, body.message]).toEqual([
      400,
      ['checking variable "slow-value" takes too long (limit: 250 ms for all validation schemas of a request)']
    ])
  })

  it('ignores inherited members of a value', () => {
    const schema = jsonSchema({ properties: { valueOf: { type: 'number' } }, required: ['toString'] })
    expect(checked(schema, {}, 'JSON')).toMatch(/must have required property 'toString'/)
  })

  it('distinguishes schemas with the same id', () => {
    const first = jsonSchema({ $id: 'https://example.com/a', type: 'object', required: ['one'] })
    const second = jsonSchema({ $id: 'https://example.com/a', type: 'object', required: ['two'] })
    expect(checked(first, { two: 2 }, 'JSON')).toMatch(/'one'/)
    expect(checked(second, { one: 1 }, 'JSON')).toMatch(/'two'/)
  })

  it('supports any number of schemas', () => {
    for (let index = 0; index < 500; index += 1) {
      const schema = {
        schemaType: 'regex',
        regexPattern: `^${index}$`,
        exampleValue: `${index}`,
        description: ''
      } as const
      expect(validateVariableSchema('String', schema, createSchemaCheckBudget())).toEqual([])
      expect(
        validateVariableSchema('String', { ...schema, exampleValue: 'x' }, createSchemaCheckBudget())
      ).toHaveLength(1)
    }
  })
})
