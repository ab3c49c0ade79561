import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import manifest from '../package.json' with { type: 'json' }
import { type ErrorType, errorTypes, type Operation, operations } from '../src/index.ts'
import { createOpenApiDocument } from '../src/openapi.ts'

type Node = Readonly<Record<string, unknown>>

const records = Object.entries<Operation>(operations)
const document = await createOpenApiDocument(manifest.version, 'http://127.0.0.1:8080')

test('describes the API as valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document))
  expect(result.errors).toBeUndefined()
  expect([result.valid, validator.version]).toEqual([true, '3.1'])
})

test('references only existing components', () => {
  const references = JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g) ?? []
  expect(references.length).toBeGreaterThan(records.length)
  for (const reference of new Set(references)) expect(resolved({ $ref: reference }), reference).toBeDefined()
})

test('docs/openapi.json is up to date (npm run openapi writes it)', () => {
  const written = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')
  expect(JSON.parse(written)).toEqual(document)
})

test('describes every operation once', () => {
  const paths = document.paths as Record<string, Record<string, { operationId: string }>>
  const described = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId)
  )
  expect(described.sort()).toEqual(records.map(([id]) => id).sort())
})

test.each(records)('%s is stored under its id and declares the parameters of its path', (id, record) => {
  expect(record.id).toBe(id)
  const inPath = [...record.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  expect(Object.keys(record.params?.shape ?? {})).toEqual(inPath)
})

test.each(records)('%s declares its body, its rate limit and the errors of both consistently', (_, record) => {
  expect(record.readsBody ?? false).toBe(record.body !== undefined)
  expect([413 in record.errors, 415 in record.errors]).toEqual([record.body !== undefined, record.body !== undefined])
  if (record.rawBody) expect(record.body).toBeDefined()
  if (record.rateLimit) expect(record.errors).toHaveProperty('429')
})

test('lists 503 for every operation, since each can need a store that is unavailable', () => {
  expect(records.filter(([, { errors }]) => !(503 in errors)).map(([id]) => id)).toEqual([])
})

test('lists every error type with its meaning, as docs/reference/management.md does', () => {
  const page = readFileSync(new URL('../../../docs/reference/management.md', import.meta.url), 'utf8')
  const { properties } = resolved({ $ref: '#/components/schemas/ManagementError' })
  const { errorType } = properties as { errorType: { enum: string[]; description: string } }
  const names = Object.keys(errorTypes) as ErrorType[]
  expect(errorType.enum).toEqual(names)
  for (const name of names) {
    const { status, meaning } = errorTypes[name]
    expect(errorType.description).toContain(`\`${name}\` (${status}): ${meaning}`)
    expect(page).toContain(`| \`${name}\` | ${status} | ${meaning} |`)
  }
})

/** Returns the schemas of an operation's bodies, by `request` or status. */
function bodiesOf({ body, status, response, errors }: Operation): [string, z.ZodType][] {
  return [
    ...(body ? [['request', body] as [string, z.ZodType]] : []),
    ...(response ? [[String(status), response] as [string, z.ZodType]] : []),
    ...Object.entries(errors)
  ]
}

test.each(records)('%s has a valid example of each of its bodies', (_, record) => {
  const paths = document.paths as Record<string, Record<string, { requestBody: Node; responses: Record<string, Node> }>>
  const described = paths[record.path]![record.method.toLowerCase()]!
  for (const [place, schema] of bodiesOf(record)) {
    const { content } = resolved(place === 'request' ? described.requestBody : described.responses[place]!)
    const pieces = record.responseKind === 'lines' ? 'application/x-ndjson' : 'text/event-stream'
    if ((record.responseKind === 'lines' || record.responseKind === 'stream') && place === String(record.status)) {
      // OpenAPI 3.1 cannot describe the items of a stream.
      expect(content).toEqual({ [pieces]: { schema: { type: 'string' } } })
      continue
    }
    const example = exampleOf((content as Content)['application/json'].schema)
    expect(example, `an example of ${place}`).toBeDefined()
    // Parsing drops unknown members, so a difference reveals one.
    expect(schema.parse(example), `the example of ${place}`).toEqual(example)
  }
})

test('gives examples as a list, as JSON Schema 2020-12 does', () => {
  expect(JSON.stringify(document)).not.toContain('"example":')
})

type Content = { readonly 'application/json': { readonly schema: Node } }

/** Follows a reference. */
function resolved(node: Node): Node {
  if (typeof node.$ref !== 'string') return node
  const steps = node.$ref.split('/').slice(1)
  return steps.reduce((place, step) => place?.[step] as Node, document)
}

/** Returns the example of a schema, or builds one from the examples of its items or values. */
function exampleOf(schema: Node): unknown {
  const { examples, items, additionalProperties } = { ...resolved(schema), ...schema }
  if (Array.isArray(examples)) return examples[0]
  const inner = items ?? additionalProperties
  if (typeof inner !== 'object' || inner === null) return undefined
  const example = exampleOf(inner as Node)
  if (example === undefined) return undefined
  return items ? [example] : { 'new-checkout': example }
}
