import { z } from 'zod'
import { permissions } from './access/permission.ts'
import type { Operation, ResponseKind } from './operation.ts'
import { operations } from './operations.ts'
import { Pagination } from './schema/common/pagination.ts'

/** A JSON object of the OpenAPI document. */
type Node = Record<string, unknown>

/** What operations reference by name. */
interface Components {
  readonly schemas: Record<string, Node>
  readonly responses: Record<string, Node>
}

const scopes = Object.fromEntries(
  permissions.map((permission) => [permission, `Limits the token to the permission ${permission}.`])
)

/**
 * Creates the OpenAPI 3.1 document of the API.
 * @param version The version of the API, for `info`.
 * @param serverUrl The address of the server, for example `http://127.0.0.1:8080`.
 * @param pause Awaited before each operation: all of them take some hundred milliseconds.
 */
export async function createOpenApiDocument(
  version: string,
  serverUrl: string,
  pause: () => Promise<void> | undefined = () => undefined
): Promise<Node> {
  const components: Components = { schemas: {}, responses: {} }
  const paths: Record<string, Node> = {}
  for (const record of Object.values<Operation>(operations)) {
    await pause()
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
          description: 'An SDK key, with or without the prefix "Bearer ".'
        },
        sdkKeyInQuery: { type: 'apiKey', in: 'query', name: 'sdkKey' },
        streamToken: {
          type: 'apiKey',
          in: 'query',
          name: 'token',
          description: 'A short-lived token for streams, from the response of the OFREP bulk evaluation.'
        },
        sdkKeyInApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        token: {
          type: 'oauth2',
          description:
            'An access token, with or without the prefix "Bearer ". `POST /oauth/token` issues tokens for `grant_type=client_credentials` with `client_id` and `client_secret`, as a form, as JSON or with HTTP Basic authentication, and for an authorization code with PKCE (S256). Without scopes, a token has all permissions of its holder.',
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
    ...(record.body ? { requestBody: toRequestBody(record.body, components) } : {}),
    responses: {
      [record.status]: {
        description: 'Success.',
        ...responseHeaders(record),
        ...(record.response ? { content: toSuccessContent(record, record.response, components) } : {})
      },
      ...(record.noContent ? { [record.noContent]: { description: 'Success without a result.' } } : {}),
      ...(hasETag(record) ? { 304: { description: 'Not modified since the response with this ETag.' } } : {}),
      ...Object.fromEntries(
        Object.entries(record.errors).map(([status, body]) => [status, toErrorResponse(status, body, components)])
      )
    },
    security: toSecurity(record.credential)
  }
}

function toRequestBody(body: z.ZodType, components: Components): Node {
  const isOptional = body instanceof z.ZodOptional
  // Only the schema inside `optional()` has the id of the component.
  const schema = isOptional ? (body.unwrap() as z.ZodType) : body
  return { required: !isOptional, content: toContent(schema, 'input', components) }
}

/** References the error response with this status and body, which all operations share. */
function toErrorResponse(status: string, body: z.ZodType, components: Components): Node {
  const name = `${body.meta()?.id}${status}`
  const headers = retryHeaders[status]
  components.responses[name] ??= {
    description: statusDescriptions[status] ?? 'Error.',
    ...(headers ? { headers } : {}),
    content: toContent(body, 'output', components)
  }
  return { $ref: `#/components/responses/${name}` }
}

/** The description of an operation, with the permission that it requires. */
function describe({ description, credential }: Operation): Node {
  const permission =
    credential.type === 'token'
      ? credential.permission
        ? `Requires the permission \`${credential.permission}\`.`
        : 'Requires the token of a person, and no permission.'
      : undefined
  const text = [description, permission].filter(Boolean).join(' ')
  return text ? { description: text } : {}
}

function hasETag({ responseKind }: Operation): boolean {
  return responseKind === 'conditional' || responseKind === 'download'
}

function responseHeaders({ responseKind, hasRevision }: Operation): Node {
  const etag = { ETag: { schema: { type: 'string' } } }
  if (hasRevision) return { headers: { ETag: { ...etag.ETag, description: 'The revision, for `If-Match`.' } } }
  switch (responseKind) {
    case 'conditional':
      return { headers: etag }
    case 'download':
      return { headers: { ...etag, 'Last-Modified': { schema: { type: 'string' } } } }
    case 'list':
      return { headers: { count: { schema: { type: 'integer' }, description: 'Number of items on all pages.' } } }
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

const retryAfter = { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds to wait before a retry.' } }

/** Headers that say when to retry, by status. */
const retryHeaders: Readonly<Record<string, Node | undefined>> = {
  429: {
    ...retryAfter,
    'Retry-Later': { schema: { type: 'string', format: 'date-time' }, description: 'The time of the next retry.' }
  },
  503: retryAfter
}

/** The meaning of error statuses, the same in all operations. */
const statusDescriptions: Readonly<Record<string, string>> = {
  400: 'The request is not valid; the message lists the problems.',
  401: 'The credential is missing, unknown, expired or revoked.',
  403: 'The credential lacks a permission, or the function is turned off.',
  404: 'The resource does not exist.',
  405: 'Not allowed in the current state.',
  409: 'The request conflicts with the current state, such as a key that is taken.',
  412: 'A precondition is not met; the message says which.',
  413: 'The body is too large.',
  415: 'The content type, charset or content encoding of the body is not supported.',
  429: 'Too many requests. Retry after the seconds in `Retry-After`.',
  500: 'An unexpected error. The server log has the details under the request id.',
  503: 'Temporarily unavailable, for example because the store is unavailable. Nothing was stored, unless the message says otherwise. Retry after the number of seconds in `Retry-After`.'
}

type ParameterLocation = 'path' | 'query' | 'header'

function toParameters(schema: z.ZodObject | undefined, location: ParameterLocation, components: Components): Node[] {
  const shared: Readonly<Record<string, unknown>> = Pagination.shape
  return Object.entries<z.ZodType>(schema?.shape ?? {}).map(([name, member]) => {
    if (shared[name] === member) return { $ref: `#/components/parameters/${name}` }
    return toParameter(name, member, location, components)
  })
}

function toParameter(name: string, member: z.ZodType, location: ParameterLocation, components: Components): Node {
  const { description = member.meta()?.description, ...schema } = toSchema(member, 'input', components)
  const required = location === 'path' || !member.safeParse(undefined).success
  return { name, in: location, required, ...(description ? { description } : {}), schema }
}

function toContent(schema: z.ZodType, io: 'input' | 'output', components: Components): Node {
  return { 'application/json': { schema: toSchema(schema, io, components) } }
}

/**
 * The response body of a success. OpenAPI 3.1 cannot describe the items of a stream, so these only become components.
 */
function toSuccessContent({ responseKind }: Operation, response: z.ZodType, components: Components): Node {
  const type = responseKind && streamedContentTypes[responseKind]
  if (!type) return toContent(response, 'output', components)
  toSchema(response, 'output', components)
  return { [type]: { schema: { type: 'string' } } }
}

/** The content types of streamed responses. */
const streamedContentTypes: { readonly [A in ResponseKind]?: string } = {
  lines: 'application/x-ndjson',
  stream: 'text/event-stream'
}

/** Converts a schema to JSON Schema. Schemas with an id become components and are referenced. */
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

/** The metadata of schemas, with `example` as the `examples` of JSON Schema 2020-12. */
const metadata = Object.assign(z.registry<Node>(), {
  get: (schema: z.core.$ZodType): Node => {
    const { example, ...rest } = z.globalRegistry.get(schema) ?? {}
    return example === undefined ? rest : { ...rest, examples: [example] }
  }
})

function withoutId({ id: _id, ...schema }: Node): Node {
  return schema
}
