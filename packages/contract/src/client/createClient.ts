import type { Operation, OperationRequest, Output } from '../operation.ts'
import { type Operations, operations } from '../operations.ts'
import { ApiError } from './apiError.ts'
import type { Credentials, TokenSource } from './credentials.ts'
import { setTotal } from './listPage.ts'
import { setRevision } from './revisionOf.ts'
import { createTokenSource } from './tokenSource.ts'
import { fetchWithoutRedirect, parseJsonOrText, REQUEST_TIMEOUT_MS, type Transport } from './transport.ts'

/** Options of `createClient`. */
export interface ClientOptions {
  /** The address of the server, as in `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  readonly credentials: Credentials
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Milliseconds after which a request is aborted, and its method rejects. Defaults to 30 seconds. */
  readonly timeoutMs?: number
}

/** One method per operation, except streams. A method rejects with an `ApiError` if the server returns an error. */
export type Client = {
  readonly [Id in keyof Operations as Operations[Id] extends { readonly responseKind: 'stream' } ? never : Id]: Method<
    Operations[Id]
  >
}

/** The request is optional if all its parts are. */
type Method<O extends Operation> =
  object extends OperationRequest<O>
    ? (request?: OperationRequest<O>) => Promise<Output<O>>
    : (request: OperationRequest<O>) => Promise<Output<O>>

/**
 * Creates a client whose methods and types are those of the operations. Evaluation, events and OFREP take an SDK key,
 * the management API takes an access token. A method whose credential is missing rejects with a `TypeError`.
 *
 * @example
 * const burgee = createClient({ baseUrl: 'http://127.0.0.1:8080', credentials: { sdkKey: 'server-…' } })
 * const variable = await burgee.evaluateVariable({ params: { key: 'new-checkout' }, body: { user_id: 'ada' } })
 */
export function createClient({
  baseUrl,
  credentials,
  fetch: send = fetch,
  timeoutMs = REQUEST_TIMEOUT_MS
}: ClientOptions): Client {
  assertCredentials(credentials)
  const connection: Connection = {
    address: baseUrl.replace(/\/$/, ''),
    sdkKey: credentials.sdkKey,
    tokenSource: toTokenSource(baseUrl, credentials, { send, timeoutMs }),
    send,
    timeoutMs
  }
  const finite = Object.values<Operation>(operations).filter(({ responseKind }) => responseKind !== 'stream')
  const methods = finite.map((record) => [
    record.id,
    (request: Parts = {}) => callOperation(record, request, connection)
  ])
  // Each method sends what the record of its own id describes and resolves to that record's response.
  return Object.fromEntries(methods) as Client
}

/** @throws {TypeError} if an untyped caller gives no object. */
function assertCredentials(credentials: unknown): void {
  if (typeof credentials === 'object' && credentials !== null) return
  throw new TypeError(
    'createClient needs credentials: { sdkKey }, { clientId, clientSecret }, { token } or { tokenSource }'
  )
}

function toTokenSource(
  baseUrl: string,
  credentials: Credentials,
  { send, timeoutMs }: Transport
): TokenSource | undefined {
  if (credentials.tokenSource) return credentials.tokenSource
  const { token } = credentials
  if (token !== undefined) return { getToken: async () => token, invalidate: () => false }
  if (credentials.clientId && credentials.clientSecret)
    return createTokenSource({ baseUrl, credentials, fetch: send, timeoutMs })
  return undefined
}

interface Connection extends Transport {
  readonly address: string
  readonly sdkKey: string | undefined
  readonly tokenSource: TokenSource | undefined
}

interface Parts {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}

async function callOperation(record: Operation, request: Parts, connection: Connection): Promise<unknown> {
  const url = toUrl(record, request, connection.address)
  const response = await sendAuthorized(record, connection, (authorization) =>
    fetchWithoutRedirect(connection, record.id, url, {
      method: record.method,
      headers: toHeaders(record, request, authorization),
      ...(record.body ? { body: JSON.stringify(request.body) } : {})
    })
  )
  const text = await response.text()
  if (response.status !== record.status && response.status !== record.noContent)
    throw new ApiError(record.id, response.status, parseJsonOrText(text), response.headers)
  return parseResponse(record, text, response.headers)
}

function parseResponse({ responseKind, hasRevision }: Operation, text: string, headers: Headers): unknown {
  if (responseKind === 'lines') return text.split('\n').filter(Boolean).map(parseJsonOrText)
  if (text === '') return undefined
  const body = parseJsonOrText(text)
  if (responseKind === 'list' && Array.isArray(body)) setTotal(body, headers.get('count'))
  if (hasRevision) setRevision(body, headers.get('etag'))
  return body
}

function toHeaders({ body }: Operation, { headers = {} }: Parts, authorization: string): Record<string, string> {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { ...Object.fromEntries(given), authorization, ...(body ? { 'content-type': 'application/json' } : {}) }
}

/** Sends the credential that the operation requires. Retries once with a new token if the first one is rejected. */
async function sendAuthorized(
  { id, credential }: Operation,
  { sdkKey, tokenSource }: Connection,
  send: (authorization: string) => Promise<Response>
): Promise<Response> {
  if (credential.type === 'sdkKey') {
    if (!sdkKey) throw new TypeError(`${id} needs credentials.sdkKey`)
    return send(sdkKey)
  }
  if (!tokenSource) {
    throw new TypeError(
      `${id} needs credentials.clientId and credentials.clientSecret, credentials.token or credentials.tokenSource`
    )
  }
  const response = await send(`Bearer ${await tokenSource.getToken(id)}`)
  if (response.status !== 401 || !tokenSource.invalidate()) return response
  await response.body?.cancel()
  return send(`Bearer ${await tokenSource.getToken(id)}`)
}

function toUrl(record: Operation, { params, query }: Parts, address: string): URL {
  const path = record.path.replace(/\{(\w+)\}/g, (_, name) => toPathSegment(record, name, params?.[name]))
  const url = new URL(address + path)
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) url.searchParams.append(name, String(item))
    }
  }
  return url
}

function toPathSegment(record: Operation, name: string, value: unknown): string {
  // URL parsers resolve "." and "..", so the request would reach another operation.
  if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value)
  throw new TypeError(
    `${record.id} needs the parameter ${name}, a string other than "." and "..", got ${JSON.stringify(value)}`
  )
}
