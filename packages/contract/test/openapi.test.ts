import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { type Operation, openApi, operations } from '../src/index.ts'

const records = Object.entries<Operation>(operations)
const document = openApi('0.1.0', 'http://127.0.0.1:8080')

test('describes the API as valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document))
  expect(result.errors).toBeUndefined()
  expect([result.valid, validator.version]).toEqual([true, '3.1'])
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
