import { readFileSync } from 'node:fs'
import { isRecord } from '@burgee/kit'
import { serveLimited } from '@burgee/testing/apiClients'
import { call, type TestServer, tokenOf } from '@burgee/testing/harness'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

/** The parts of an OpenAPI document that the tests use. */
interface Specification {
  readonly paths: Readonly<Record<string, Readonly<Record<string, SpecifiedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}
interface SpecifiedOperation {
  readonly requestBody?: Content & { readonly content: Record<string, { readonly examples?: Examples }> }
  readonly responses: Readonly<Record<string, Partial<Content> & { readonly headers?: object }>>
}
interface Content {
  readonly content: Readonly<Record<string, { readonly schema: object }>>
}
type Examples = Readonly<Record<string, { readonly value: object }>>

const specification: Specification = parse(readFileSync(new URL('sync.yaml', import.meta.url), 'utf8'))

/** Replaces references, of which the document has no circular ones. */
function resolve(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(resolve)
  if (!isRecord(node)) return node
  const { $ref: reference } = node
  if (typeof reference === 'string') {
    return resolve(specification.components.schemas[reference.replace('#/components/schemas/', '')])
  }
  return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, resolve(member)]))
}

/** The operations with their documented statuses, of which the tests have to see all. */
const unseen = new Set(
  Object.entries(specification.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.keys(responses).flatMap((status) => (status === '500' ? [] : [`${method} ${path} ${status}`]))
    )
  )
)

const MANIFEST = '/openfeature/v0/manifest'

let server: TestServer
let administrator: string
let stranger: string

beforeAll(async () => {
  const limited = await serveLimited({ features: [{ key: 'checkout' }] }, ['project:read'])
  server = limited.server
  administrator = await tokenOf(server)
  stranger = limited.key
})

interface Sent {
  readonly body?: object
  /** Sends no token if it is empty. */
  readonly token?: string
}

/** Sends a request, asserts that the specification has its response, and returns it. */
async function ask(
  method: 'get' | 'post' | 'put' | 'delete',
  path: string,
  { body, token = administrator }: Sent = {}
) {
  const response = await fetch(`${server.url}${path}`, {
    method: method.toUpperCase(),
    headers: {
      accept: 'application/json',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' })
    },
    ...(body && { body: JSON.stringify(body) })
  })
  const { status, headers } = response
  const answer: unknown = await response.json()
  const template = path.replace(/(?<=\/flags\/).*/, '{key}')
  const documented = specification.paths[template]?.[method]?.responses[status]
  expect(documented, `${method} ${template} ${status} ${JSON.stringify(answer)}`).toBeDefined()
  expect(headers.get('content-type')).toMatch(/^application\/json\b/)
  if (documented?.headers) expect(headers.get('x-manifest-capabilities')).toBe('read,write,delete')
  const schema = resolve(documented?.content?.['application/json']?.schema)
  expect(isRecord(schema)).toBe(true)
  z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema, { defaultTarget: 'openapi-3.0' }).parse(answer)
  if (status >= 400) expect(answer).toMatchObject({ error: { status, message: expect.stringMatching(/\S/) } })
  unseen.delete(`${method} ${template} ${status}`)
  return { status, body: answer as { readonly flags: readonly { readonly key: string }[]; readonly flag: object } }
}

const flag = (key: string, members: object = {}) => ({ key, type: 'string', defaultValue: 'hello', ...members })
const pull = async () => (await ask('get', MANIFEST)).body.flags
const push = (body: object) => ask('post', `${MANIFEST}/flags`, { body })
const update = (key: string, body: object) => ask('put', `${MANIFEST}/flags/${key}`, { body })
const remove = (key: string) => ask('delete', `${MANIFEST}/flags/${key}`)

describe('the manifest API of OpenFeature', () => {
  it('lists, creates, updates and archives flags as its specification says', async () => {
    const { examples = {} } =
      specification.paths[`${MANIFEST}/flags`]?.post?.requestBody?.content['application/json'] ?? {}
    const local = [
      ...Object.values(examples).map(({ value }) => value),
      flag('title', { name: 'Title', description: null }),
      flag('limit', { type: 'integer', defaultValue: 10 }),
      flag('layout', { type: 'object', defaultValue: { columns: [1, 2] } })
    ]
    for (const one of local) expect((await push(one)).status).toBe(201)
    // As a comparison does: everything that was pushed is there, and nothing else is new.
    const keys = local.map((one) => ('key' in one ? one.key : ''))
    expect((await pull()).map(({ key }) => key).sort()).toEqual(['checkout', ...keys].sort())
    expect(await pull()).toEqual(
      expect.arrayContaining(
        local.map(({ description: _, ...one }: { description?: unknown }) => expect.objectContaining(one))
      )
    )
    const changed = { ...flag('title'), name: 'New title', description: 'On top.', defaultValue: 'bye' }
    expect((await update('title', changed)).body.flag).toEqual(changed)
    expect(await pull()).toContainEqual(changed)
    expect((await remove('title')).status).toBe(200)
    expect((await pull()).map(({ key }) => key)).not.toContain('title')
  })

  it.each([
    [{ type: 'string', defaultValue: 'x' }, 'a missing key'],
    [{ key: 'x', type: 'string' }, 'a missing default'],
    [flag('x', { type: 'colour' }), 'an unknown type'],
    [flag('x', { defaultValue: 5 }), 'a default of another type'],
    [flag('x', { colour: 'red' }), 'an unknown member']
  ] as readonly (readonly [object, string])[])('refuses %j: %s', async (body, _) => {
    expect((await push(body)).status).toBe(400)
  })

  it('refuses what is in the way', async () => {
    await push(flag('gone'))
    expect((await push(flag('gone', { defaultValue: 'other' }))).status).toBe(409)
    expect((await update('gone', flag('other'))).status).toBe(400)
    expect((await update('gone', flag('gone', { type: 'boolean', defaultValue: true }))).status).toBe(409)
    expect((await update('nosuch', flag('nosuch'))).status).toBe(404)
    expect((await remove('nosuch')).status).toBe(404)
    expect((await remove('gone')).status).toBe(200)
    for (const again of [push(flag('gone')), update('gone', flag('gone')), remove('gone')]) {
      expect((await again).status).toBe(409)
    }
    const { body } = await call(server, 'getFeature', { params: { project: 'shop', feature: 'checkout' } })
    expect(body.configurations).toContainEqual(expect.objectContaining({ status: 'active' }))
    expect((await remove('checkout')).status).toBe(409)
  })

  it.each([
    ['', 401],
    ['not-a-token', 401],
    ['stranger', 403]
  ])('answers every route with token "%s" by %i', async (name, status) => {
    const token = name === 'stranger' ? stranger : name
    const sent = [
      ask('get', MANIFEST, { token }),
      ask('post', `${MANIFEST}/flags`, { token, body: flag('x') }),
      ask('put', `${MANIFEST}/flags/checkout`, { token, body: flag('checkout') }),
      ask('delete', `${MANIFEST}/flags/checkout`, { token })
    ]
    expect((await Promise.all(sent)).map((one) => one.status)).toEqual([status, status, status, status])
  })

  afterAll(() => {
    expect([...unseen]).toEqual([])
  })
})
