import { serveLimited } from '@burgee/testing/apiClients'
import { call, serve, type TestServer } from '@burgee/testing/harness'
import { beforeAll, expect, it, test } from 'vitest'

let server: TestServer

beforeAll(async () => {
  server = await serve({ features: [{ key: 'checkout' }] })
})

const validate = (body: unknown, project = 'shop') => {
  return call(server, 'validateVariableValue', { params: { project }, body })
}

const enumSchema = { schemaType: 'enum', enumValues: ['blue', 'green'], description: 'A colour.', exampleValue: 'blue' }
const regexSchema = { schemaType: 'regex', regexPattern: '^#', description: 'A colour.', exampleValue: '#fff' }
const jsonSchema = {
  schemaType: 'jsonSchema',
  jsonSchema: '{"required":["size"]}',
  description: 'A box.',
  exampleValue: { size: 1 }
}

test.each<[string, object, unknown, unknown, RegExp]>([
  ['a type', { type: 'Number' }, 1, 'one', /^should be .*[Nn]umber/],
  ['an enum', { type: 'String', validationSchema: enumSchema }, 'blue', 'red', /^should be one of "blue", "green"/],
  ['a pattern', { type: 'String', validationSchema: regexSchema }, '#000', 'black', /^should match/],
  ['a JSON Schema', { type: 'JSON', validationSchema: jsonSchema }, { size: 2 }, {}, /size/]
])('reports the issue of each value by %s', async (_name, check, valid, invalid, issue) => {
  const { status, body } = await validate({ ...check, values: [valid, invalid, null] })
  expect(status).toBe(200)
  expect(body.values).toEqual([
    { isValid: true, issues: [] },
    { isValid: false, issues: [expect.stringMatching(issue)] },
    { isValid: false, issues: [expect.stringMatching(/^should be /)] }
  ])
})

it('rejects a schema that is not valid, and leaves no trace', async () => {
  const { status, body } = await validate({
    type: 'String',
    validationSchema: { ...regexSchema, regexPattern: '(' },
    values: ['#000']
  })
  expect([status, body.message]).toEqual([400, [expect.stringMatching(/^validationSchema\.regexPattern /)]])
  const log = await call(server, 'getFeatureAudit', { params: { project: 'shop', feature: 'checkout' } })
  expect(log.body).toEqual([])
})

test.each<[object, RegExp]>([
  [{ type: 'String' }, /^values /],
  [{ type: 'String', values: [] }, /^values should have at least one value/],
  [{ type: 'Colour', values: ['x'] }, /^type /],
  [{ type: 'String', values: Array.from({ length: 1001 }, () => 'x') }, /^values should have at most 1000 values/]
])('rejects a body that is not valid (%#)', async (body, message) => {
  const answer = await validate(body)
  expect([answer.status, answer.body.message]).toEqual([400, [expect.stringMatching(message)]])
})

it('returns 404 for an unknown project', async () => {
  expect((await validate({ type: 'String', values: ['x'] }, 'nowhere')).status).toBe(404)
})

it('needs the permission to write variables', async () => {
  const { server: limited, key } = await serveLimited({ features: [{ key: 'checkout' }] }, ['variable:read'])
  const request = { params: { project: 'shop' }, body: { type: 'Number', values: [1] }, key }
  const { status, body } = await call(limited, 'validateVariableValue', request)
  expect([status, body.message]).toEqual([403, expect.stringContaining('variable:write')])
})
