import type { Operation, OperationRequest, Output } from '../operation.ts'
import type { Operations } from '../operations.ts'
import { ApiError } from './apiError.ts'
import type { ClientCredentials, Credentials, TokenSource } from './credentials.ts'
import { setTotal } from './listPage.ts'
import type { OperationRow } from './operationTable.ts'
import { setRevision } from './revisionOf.ts'
import { fetchWithoutRedirect, parseJsonOrText, REQUEST_TIMEOUT_MS, type Transport } from './transport.ts'

/** Options of `createTableClient`. */
export interface TableClientOptions {
  /** The rows of all operations, from `operationTable`. */
  readonly table: readonly OperationRow[]
  /** The address of the server, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  readonly credentials: Exclude<Credentials, ClientCredentials>
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
 * Creates the client of `createClient` from a table that a build made with `operationTable`. A bundle that contains it
 * contains neither the records nor zod. It takes no client secret: scripts of a page are public.
 *
 * @example
 * const credentials = { headers: { 'burgee-dashboard': '1' } }
 * const burgee = createTableClient({ table, baseUrl: `${location.origin}/session/api`, credentials })
 */
export function createTableClient({
  table,
  baseUrl,
  credentials,
  fetch: send = fetch,
  timeoutMs = REQUEST_TIMEOUT_MS
}: TableClientOptions): Client {
  assertCredentials(credentials)
  const { sdkKey, headers } = credentials
  const address = baseUrl.replace(/\/$/, '')
  const connection: Connection = { address, sdkKey, headers, tokenSource: toTokenSource(credentials), send, timeoutMs }
  const finite = table.filter(({ responseKind }) => responseKind !== 'stream')
  const methods = finite.map((row) => [row.id, (request: Parts = {}) => callOperation(row, request, connection)])
  // Each method sends what the row of its own id describes and resolves to that operation's response.
  return Object.fromEntries(methods) as Client
}

/** @throws {TypeError} if an untyped caller gives no object. */
function assertCredentials(credentials: unknown): void {
  if (typeof credentials === 'object' && credentials !== null) return
  throw new TypeError(
    'createClient needs credentials: { sdkKey }, { clientId, clientSecret }, { token }, { tokenSource } or { headers }'
  )
}

function toTokenSource({ token, tokenSource }: TableClientOptions['credentials']): TokenSource | undefined {
  if (tokenSource || token === undefined) return tokenSource
  return { getToken: async () => token, invalidate: () => false }
}

interface Connection extends Transport {
  readonly address: string
  readonly sdkKey: string | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly tokenSource: TokenSource | undefined
}

interface Parts {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}

async function callOperation(row: OperationRow, request: Parts, connection: Connection): Promise<unknown> {
  const url = toUrl(row, request, connection.address)
  const response = await sendAuthorized(row, connection, (credential) =>
    fetchWithoutRedirect(connection, row.id, url, {
      method: row.method,
      headers: toHeaders(row, request, credential),
      ...(row.readsBody ? { body: JSON.stringify(request.body) } : {})
    })
  )
  const text = await response.text()
  if (response.status !== row.status && response.status !== row.noContent)
    throw new ApiError(row.id, response.status, parseJsonOrText(text), response.headers)
  return parseResponse(row, text, response.headers)
}

function parseResponse({ responseKind, hasRevision }: OperationRow, text: string, headers: Headers): unknown {
  if (responseKind === 'lines') return text.split('\n').filter(Boolean).map(parseJsonOrText)
  if (text === '') return undefined
  const body = parseJsonOrText(text)
  if (responseKind === 'list' && Array.isArray(body)) setTotal(body, headers.get('count'))
  if (hasRevision) setRevision(body, headers.get('etag'))
  return body
}

function toHeaders(
  { readsBody }: OperationRow,
  { headers = {} }: Parts,
  credential: Readonly<Record<string, string>>
): Record<string, string> {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { ...Object.fromEntries(given), ...credential, ...(readsBody ? { 'content-type': 'application/json' } : {}) }
}

/** Sends the credential that the operation requires. Retries once with a new token if the first one is rejected. */
async function sendAuthorized(
  { id, credential }: OperationRow,
  { headers, sdkKey, tokenSource }: Connection,
  send: (credential: Readonly<Record<string, string>>) => Promise<Response>
): Promise<Response> {
  if (headers) return send(headers)
  if (credential.type === 'sdkKey') {
    if (!sdkKey) throw new TypeError(`${id} needs credentials.sdkKey`)
    return send({ authorization: sdkKey })
  }
  if (!tokenSource) {
    throw new TypeError(
      `${id} needs credentials.clientId and credentials.clientSecret, credentials.token or credentials.tokenSource`
    )
  }
  const response = await send({ authorization: `Bearer ${await tokenSource.getToken(id)}` })
  if (response.status !== 401 || !tokenSource.invalidate()) return response
  await response.body?.cancel()
  return send({ authorization: `Bearer ${await tokenSource.getToken(id)}` })
}

function toUrl(row: OperationRow, { params, query }: Parts, address: string): URL {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name) => toPathSegment(row, name, params?.[name]))
  const url = new URL(address + path)
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) url.searchParams.append(name, String(item))
    }
  }
  return url
}

function toPathSegment(row: OperationRow, name: string, value: unknown): string {
  // URL parsers resolve "." and "..", so the request would reach another operation.
  if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value)
  throw new TypeError(
    `${row.id} needs the parameter ${name}, a string other than "." and "..", got ${JSON.stringify(value)}`
  )
}
