import { z } from 'zod'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'

/** A JSON object of the OpenAPI document. */
type Node = Record<string, unknown>

/** The contract as an OpenAPI 3.1 document. `serverUrl` is where the API is found. */
export function openApi(version: string, serverUrl: string): Node {
  const components: Node = {}
  const paths: Record<string, Node> = {}
  for (const record of Object.values<Operation>(operations)) {
    paths[record.path] = { ...paths[record.path], [record.method.toLowerCase()]: toOperation(record, components) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Burgee', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: serverUrl }],
    tags: [...new Set(Object.values<Operation>(operations).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        sdkKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'An SDK key, bare or after "Bearer ".'
        },
        sdkKeyInQuery: { type: 'apiKey', in: 'query', name: 'sdkKey' },
        sdkKeyInApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' }
      },
      schemas: components
    }
  }
}

function toOperation(record: Operation, components: Node): Node {
  const { credential } = record
  return {
    operationId: record.id,
    summary: record.summary,
    ...(record.description ? { description: record.description } : {}),
    tags: [record.tag],
    parameters: [
      ...toParameters(record.params, 'path', components),
      ...toParameters(record.query, 'query', components),
      ...(record.isConditional ? [{ name: 'If-None-Match', in: 'header', schema: { type: 'string' } }] : [])
    ],
    ...(record.body ? { requestBody: { required: true, content: toContent(record.body, 'input', components) } } : {}),
    responses: {
      [record.status]: {
        description: 'Done.',
        ...(record.isConditional ? { headers: { ETag: { schema: { type: 'string' } } } } : {}),
        content: toContent(record.response, 'output', components)
      },
      ...(record.isConditional ? { 304: { description: 'Nothing has changed since the answer with this ETag.' } } : {}),
      ...Object.fromEntries(
        Object.entries(record.errors).map(([status, body]) => {
          const description = meanings[status] ?? 'Refused.'
          const headers = retryHeaders[status]
          return [
            status,
            { description, ...(headers ? { headers } : {}), content: toContent(body, 'output', components) }
          ]
        })
      )
    },
    security: [
      { sdkKey: [] },
      ...(credential.inQuery ? [{ sdkKeyInQuery: [] }] : []),
      ...(credential.inApiKeyHeader ? [{ sdkKeyInApiKeyHeader: [] }] : [])
    ]
  }
}

const retryAfter = { 'Retry-After': { schema: { type: 'integer' }, description: 'In so many seconds.' } }

/** When to try again, by status. */
const retryHeaders: Readonly<Record<string, Node | undefined>> = {
  429: {
    ...retryAfter,
    'Retry-Later': { schema: { type: 'string', format: 'date-time' }, description: 'At this moment.' }
  },
  503: retryAfter
}

/** What each refusal means, in every operation alike. */
const meanings: Readonly<Record<string, string>> = {
  400: 'Something in the request is not as it should be; the message says what.',
  401: 'There is no SDK key, or none that is known.',
  403: 'The key is of a type that may not do this, or what is asked for is switched off.',
  404: 'There is no such thing.',
  413: 'The body is too large.',
  415: 'The content type, charset or encoding of the body is not one that is read.',
  429: 'Too many requests; Retry-After says in how many seconds to go on.',
  500: 'The server failed; its log says how, under the id of the request.',
  503: 'What was to be kept could not be; nothing of it was. Retry-After says in how many seconds to try again.'
}

function toParameters(schema: z.ZodObject | undefined, place: 'path' | 'query', components: Node): Node[] {
  return Object.entries(schema?.shape ?? {}).map(([name, member]) => {
    const { description, ...rest } = toSchema(member as z.ZodType, 'input', components)
    const isRequired = place === 'path' || !(member as z.ZodType).safeParse(undefined).success
    return { name, in: place, required: isRequired, ...(description ? { description } : {}), schema: rest }
  })
}

function toContent(schema: z.ZodType, io: 'input' | 'output', components: Node): Node {
  return { 'application/json': { schema: toSchema(schema, io, components) } }
}

/** A schema as JSON Schema; those with an id move to the components and leave a reference. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', components: Node): Node {
  const { $schema, $defs, ...root } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' })
  const text = JSON.stringify({ root, $defs }).replaceAll('"#/$defs/', '"#/components/schemas/')
  const hoisted: { root: Node; $defs?: Record<string, Node> } = JSON.parse(text)
  for (const [id, definition] of Object.entries(hoisted.$defs ?? {})) components[id] = withoutId(definition)
  const { id } = hoisted.root
  if (typeof id !== 'string') return hoisted.root
  components[id] = withoutId(hoisted.root)
  return { $ref: `#/components/schemas/${id}` }
}

function withoutId({ id: _id, ...schema }: Node): Node {
  return schema
}
