import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import manifest from '../package.json' with { type: 'json' }
import { createOpenApiDocument, type Operation, operations } from '../src/index.ts'

type Node = Readonly<Record<string, unknown>>

const records = Object.entries<Operation>(operations)
const document = createOpenApiDocument(manifest.version, 'http://127.0.0.1:8080')

test('describes the API as valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document))
  expect(result.errors).toBeUndefined()
  expect([result.valid, validator.version]).toEqual([true, '3.1'])
})

test('refers only to what it has', () => {
  const references = JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g) ?? []
  expect(references.length).toBeGreaterThan(records.length)
  for (const reference of new Set(references)) expect(resolved({ $ref: reference }), reference).toBeDefined()
})

test('is what docs/openapi.json says; npm run openapi writes it anew', () => {
  const written = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')
  expect(JSON.parse(written)).toEqual(document)
})

test('describes every operation under its own id', () => {
  const paths = document.paths as Record<string, Record<string, { operationId: string }>>
  const described = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId)
  )
  expect(described.sort()).toEqual(records.map(([id]) => id).sort())
})

test.each(records)('%s is filed under its own id, and names every parameter of its path', (id, record) => {
  expect(record.id).toBe(id)
  const inPath = [...record.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  expect(Object.keys(record.params?.shape ?? {})).toEqual(inPath)
})

/** The bodies of an operation: where each of them is, and the schema of its record. */
function bodiesOf({ body, status, response, errors }: Operation): [string, z.ZodType][] {
  return [
    ...(body ? [['request', body] as [string, z.ZodType]] : []),
    ...(response ? [[String(status), response] as [string, z.ZodType]] : []),
    ...Object.entries(errors)
  ]
}

test.each(records)('%s shows an example of each of its bodies, and it is a true one', (_, record) => {
  const paths = document.paths as Record<string, Record<string, { requestBody: Node; responses: Record<string, Node> }>>
  const described = paths[record.path]![record.method.toLowerCase()]!
  for (const [place, schema] of bodiesOf(record)) {
    const { content } = resolved(place === 'request' ? described.requestBody : described.responses[place]!)
    const pieces = record.responseKind === 'lines' ? 'application/x-ndjson' : 'text/event-stream'
    if ((record.responseKind === 'lines' || record.responseKind === 'stream') && place === String(record.status)) {
      // What a piece is, the description says: OpenAPI 3.1 has no words for it.
      expect(content).toEqual({ [pieces]: { schema: { type: 'string' } } })
      continue
    }
    const example = exampleOf((content as Content)['application/json'].schema)
    expect(example, `an example of ${place}`).toBeDefined()
    // What parsing leaves out is not in the schema, and wrong as much as what it refuses.
    expect(schema.parse(example), `the example of ${place}`).toEqual(example)
  }
})

test('gives examples as a list, as JSON Schema 2020-12 does', () => {
  expect(JSON.stringify(document)).not.toContain('"example":')
})

type Content = { readonly 'application/json': { readonly schema: Node } }

/** What stands in a place of the document, or what the reference there points to. */
function resolved(node: Node): Node {
  if (typeof node.$ref !== 'string') return node
  const steps = node.$ref.split('/').slice(1)
  return steps.reduce((place, step) => place?.[step] as Node, document)
}

/** The example of a schema: its own, or one made of the example of its items or values. */
function exampleOf(schema: Node): unknown {
  const { examples, items, additionalProperties } = { ...resolved(schema), ...schema }
  if (Array.isArray(examples)) return examples[0]
  const inner = items ?? additionalProperties
  if (typeof inner !== 'object' || inner === null) return undefined
  const example = exampleOf(inner as Node)
  if (example === undefined) return undefined
  return items ? [example] : { 'new-checkout': example }
}
