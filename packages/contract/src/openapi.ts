import { z } from 'zod'
import { permissions } from './access/permission.ts'
import type { Operation, ResponseKind } from './operation.ts'
import { operations } from './operations.ts'
import { Pagination } from './schema/pagination.ts'

/** A JSON object of the OpenAPI document. */
type Node = Record<string, unknown>

/** What operations share: it is written once and referred to by name. */
interface Components {
  readonly schemas: Record<string, Node>
  readonly responses: Record<string, Node>
}

/** What a token can be asked for, to be good for no more: the permissions. */
const scopes = Object.fromEntries(permissions.map((permission) => [permission, `To use the permission ${permission}.`]))

/** The contract as an OpenAPI 3.1 document. `serverUrl` is where the API is found. */
export function createOpenApiDocument(version: string, serverUrl: string): Node {
  const components: Components = { schemas: {}, responses: {} }
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
        streamToken: {
          type: 'apiKey',
          in: 'query',
          name: 'token',
          description: 'A short-lived token for streams, as the bulk evaluation of OFREP answers it.'
        },
        sdkKeyInApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        token: {
          type: 'oauth2',
          description:
            'An access token, bare or after "Bearer ". POST /oauth/token answers one to grant_type=client_credentials with client_id and client_secret, as a form or as JSON, or with the two as Basic; and to a code that a person was sent back with (PKCE, S256). Without a scope it is good for everything that its holder may do.',
          flows: {
            clientCredentials: { tokenUrl: `${serverUrl}/oauth/token`, scopes },
            authorizationCode: {
              authorizationUrl: `${serverUrl}/oauth/authorize`,
              tokenUrl: `${serverUrl}/oauth/token`,
              refreshUrl: `${serverUrl}/oauth/token`,
              scopes
            }
          }
        }
      },
      parameters: Object.fromEntries(
        Object.entries(Pagination.shape).map(([name, member]) => [name, toParameter(name, member, 'query', components)])
      ),
      ...components
    }
  }
}

function toOperation(record: Operation, components: Components): Node {
  return {
    operationId: record.id,
    summary: record.summary,
    ...describe(record),
    ...(record.isDeprecated ? { deprecated: true } : {}),
    tags: [record.tag],
    parameters: [
      ...toParameters(record.params, 'path', components),
      ...toParameters(record.query, 'query', components),
      ...toParameters(record.headers, 'header', components),
      ...(hasETag(record) ? [{ name: 'If-None-Match', in: 'header', schema: { type: 'string' } }] : [])
    ],
    ...(record.body ? { requestBody: { required: true, content: toContent(record.body, 'input', components) } } : {}),
    responses: {
      [record.status]: {
        description: 'Done.',
        ...responseHeaders(record),
        ...(record.response ? { content: toSuccessContent(record, record.response, components) } : {})
      },
      ...(record.noContent ? { [record.noContent]: { description: 'There is nothing to answer.' } } : {}),
      ...(hasETag(record) ? { 304: { description: 'Nothing has changed since the answer with this ETag.' } } : {}),
      ...Object.fromEntries(
        Object.entries(record.errors).map(([status, body]) => [status, toErrorResponse(status, body, components)])
      )
    },
    security: toSecurity(record.credential)
  }
}

/** A refusal. Those with the same status and body read alike in every operation: they move to the components. */
function toErrorResponse(status: string, body: z.ZodType, components: Components): Node {
  const name = `${body.meta()?.id}${status}`
  const headers = retryHeaders[status]
  components.responses[name] ??= {
    description: statusDescriptions[status] ?? 'Refused.',
    ...(headers ? { headers } : {}),
    content: toContent(body, 'output', components)
  }
  return { $ref: `#/components/responses/${name}` }
}

/** What a caller should know: the record's own words, and the permission it takes. */
function describe({ description, credential }: Operation): Node {
  const permission = credential.type === 'token' ? `Takes the permission \`${credential.permission}\`.` : undefined
  const text = [description, permission].filter(Boolean).join(' ')
  return text ? { description: text } : {}
}

function hasETag({ responseKind }: Operation): boolean {
  return responseKind === 'conditional' || responseKind === 'download'
}

function responseHeaders({ responseKind }: Operation): Node {
  const etag = { ETag: { schema: { type: 'string' } } }
  switch (responseKind) {
    case 'conditional':
      return { headers: etag }
    case 'download':
      return { headers: { ...etag, 'Last-Modified': { schema: { type: 'string' } } } }
    case 'list':
      return { headers: { count: { schema: { type: 'integer' }, description: 'How many items there are.' } } }
    default:
      return {}
  }
}

function toSecurity(credential: Operation['credential']): Node[] {
  if (credential.type === 'token') return [{ token: [] }]
  if (credential.inPath) return []
  return [
    { sdkKey: [] },
    ...(credential.inToken ? [{ streamToken: [] }] : []),
    ...(credential.inQuery ? [{ sdkKeyInQuery: [] }] : []),
    ...(credential.inApiKeyHeader ? [{ sdkKeyInApiKeyHeader: [] }] : [])
  ]
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
const statusDescriptions: Readonly<Record<string, string>> = {
  400: 'Something in the request is not as it should be; the message says what.',
  401: 'There is no credential, or none that is known or still holds.',
  403: 'The credential may not do this, or what is asked for is switched off.',
  404: 'There is no such thing.',
  405: 'This cannot be done in the present state.',
  409: 'There is something with that name already.',
  412: 'What this rests on does not hold.',
  413: 'The body is too large.',
  415: 'The content type, charset or encoding of the body is not one that is read.',
  429: 'Too many requests; Retry-After says in how many seconds to go on.',
  500: 'The server failed; its log says how, under the id of the request.',
  503: 'The server cannot do this at the moment; what was to be kept was not. Retry-After says in how many seconds to try again.'
}

/** Where OpenAPI says a parameter is. */
type ParameterLocation = 'path' | 'query' | 'header'

function toParameters(schema: z.ZodObject | undefined, place: ParameterLocation, components: Components): Node[] {
  const shared: Readonly<Record<string, unknown>> = Pagination.shape
  return Object.entries<z.ZodType>(schema?.shape ?? {}).map(([name, member]) => {
    if (shared[name] === member) return { $ref: `#/components/parameters/${name}` }
    return toParameter(name, member, place, components)
  })
}

function toParameter(name: string, member: z.ZodType, place: ParameterLocation, components: Components): Node {
  const { description = member.meta()?.description, ...schema } = toSchema(member, 'input', components)
  const required = place === 'path' || !member.safeParse(undefined).success
  return { name, in: place, required, ...(description ? { description } : {}), schema }
}

function toContent(schema: z.ZodType, io: 'input' | 'output', components: Components): Node {
  return { 'application/json': { schema: toSchema(schema, io, components) } }
}

/** The body of success; of one that comes piece by piece, OpenAPI 3.1 can only say what a piece is in words. */
function toSuccessContent({ responseKind }: Operation, response: z.ZodType, components: Components): Node {
  const type = responseKind && streamedContentTypes[responseKind]
  if (!type) return toContent(response, 'output', components)
  toSchema(response, 'output', components)
  return { [type]: { schema: { type: 'string' } } }
}

/** The content types of answers that come piece by piece. */
const streamedContentTypes: { readonly [A in ResponseKind]?: string } = {
  lines: 'application/x-ndjson',
  stream: 'text/event-stream'
}

/** A schema as JSON Schema; those with an id move to the components and leave a reference. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', components: Components): Node {
  const { $schema, $defs, ...root } = z.toJSONSchema(schema, {
    io,
    metadata,
    target: 'draft-2020-12',
    unrepresentable: 'any'
  })
  const text = JSON.stringify({ root, $defs }).replaceAll('"#/$defs/', '"#/components/schemas/')
  const hoisted: { root: Node; $defs?: Record<string, Node> } = JSON.parse(text)
  for (const [id, definition] of Object.entries(hoisted.$defs ?? {})) components.schemas[id] = withoutId(definition)
  const { id } = hoisted.root
  if (typeof id !== 'string') return hoisted.root
  components.schemas[id] = withoutId(hoisted.root)
  return { $ref: `#/components/schemas/${id}` }
}

/** What schemas say about themselves, as JSON Schema 2020-12 has it: a list of examples, where ours have one. */
const metadata = Object.assign(z.registry<Node>(), {
  get: (schema: z.core.$ZodType): Node => {
    const { example, ...rest } = z.globalRegistry.get(schema) ?? {}
    return example === undefined ? rest : { ...rest, examples: [example] }
  }
})

function withoutId({ id: _id, ...schema }: Node): Node {
  return schema
}
