import { ApiError } from './apiError.ts'
import { fetchWithoutRedirect } from './fetchWithoutRedirect.ts'
import type { Operation, OperationRequest, Output } from './operation.ts'
import { type Operations, operations } from './operations.ts'
import { parseJsonOrText } from './parseJsonOrText.ts'
import { createTokenSource, type TokenSource } from './tokenSource.ts'

/** Where a client finds the API and how it identifies itself. */
export interface ClientOptions {
  /** As in `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  readonly credentials: Credentials
  /** The `fetch` to use; the platform's when it is left out. */
  readonly fetch?: typeof fetch
}

/** What a client holds: an SDK key for the Bucketing API and OFREP, an API client's id and secret or a token for the management API. */
export interface Credentials {
  readonly sdkKey?: string
  readonly clientId?: string
  readonly clientSecret?: string
  /** An access token from elsewhere; without one it is fetched for `clientId`, and renewed. */
  readonly token?: string
  /** Where access tokens come from, when neither of these says it. */
  readonly tokenSource?: TokenSource
}

/** One method for each operation whose answer has an end. A request that is refused rejects with an `ApiError`. */
export type Client = {
  readonly [Id in keyof Operations as Operations[Id] extends { readonly responseKind: 'stream' } ? never : Id]: Method<
    Operations[Id]
  >
}

/** An operation without parts that must be given can be called without a request. */
type Method<O extends Operation> =
  object extends OperationRequest<O>
    ? (request?: OperationRequest<O>) => Promise<Output<O>>
    : (request: OperationRequest<O>) => Promise<Output<O>>

/**
 * Makes a client whose methods and types are the contract's operations.
 *
 * @example
 * const burgee = createClient({ baseUrl: 'http://127.0.0.1:8080', credentials: { sdkKey: 'server-…' } })
 * const variable = await burgee.evaluateVariable({ params: { key: 'new-checkout' }, body: { user_id: 'ada' } })
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, credentials } = options
  const address = baseUrl.replace(/\/$/, '')
  const send = options.fetch ?? fetch
  const tokenSource = credentials.tokenSource ?? createTokenSource({ baseUrl, credentials, fetch: send })
  const connection = { address, credentials, send, tokenSource }
  const finite = Object.values<Operation>(operations).filter(({ responseKind }) => responseKind !== 'stream')
  const methods = finite.map((record) => [
    record.id,
    (request: Parts = {}) => callOperation(record, request, connection)
  ])
  // Each method sends what the record of its own id says, and the answer is that record's response.
  return Object.fromEntries(methods) as Client
}

/**
 * Every item of a list, page by page.
 *
 * @example
 * for await (const feature of items(burgee.listFeatures, { params: { project: 'shop' } })) console.log(feature.key)
 */
export async function* paginate<R extends { readonly query?: object }, T>(
  list: (request: R) => Promise<readonly T[]>,
  request: R
): AsyncGenerator<T, void> {
  for (let page = 1; ; page++) {
    const found = await list({ ...request, query: { ...request.query, page, perPage: PAGE_SIZE } })
    yield* found
    if (found.length < PAGE_SIZE) return
  }
}

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** How many items there are in all; absent where the answer does not say. */
  readonly count?: number
}

/**
 * One page of a list, with the number of all its items.
 *
 * @example
 * const { items, count } = await pageOf(burgee.listFeatures, { params: { project: 'shop' }, query: { perPage: 10 } })
 */
export async function listPage<R, T>(list: (request: R) => Promise<readonly T[]>, request: R): Promise<Page<T>> {
  const items = await list(request)
  const count = counts.get(items)
  return { items, ...(count === undefined ? {} : { count }) }
}

/** List of an answer → how many items there are in all. */
const counts = new WeakMap<object, number>()

/** How many items a page of `items` has. */
const PAGE_SIZE = 100

interface Connection {
  readonly address: string
  readonly credentials: Credentials
  readonly send: typeof fetch
  readonly tokenSource: TokenSource
}

interface Parts {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}

async function callOperation(record: Operation, request: Parts, connection: Connection): Promise<unknown> {
  const url = urlOf(record, request, connection.address)
  const attempt = async (authorization: string): Promise<Response> =>
    fetchWithoutRedirect(connection.send, record.id, url, {
      method: record.method,
      headers: headersOf(record, request, authorization),
      ...(record.body ? { body: JSON.stringify(request.body) } : {})
    })
  const response = await sendAuthorized(record, connection, attempt)
  const text = await response.text()
  if (response.status !== record.status && response.status !== record.noContent)
    throw new ApiError(record.id, response.status, parseJsonOrText(text), response.headers)
  if (record.responseKind === 'lines') return text.split('\n').filter(Boolean).map(parseJsonOrText)
  if (text === '') return undefined
  const answer = parseJsonOrText(text)
  const count = response.headers.get('count') ?? ''
  if (record.responseKind === 'list' && Array.isArray(answer) && /^\d+$/.test(count)) counts.set(answer, Number(count))
  return answer
}

function headersOf({ body }: Operation, { headers = {} }: Parts, authorization: string): Record<string, string> {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { ...Object.fromEntries(given), authorization, ...(body ? { 'content-type': 'application/json' } : {}) }
}

/** Sends with the credential that the operation takes; with a new token where the one at hand has been refused. */
async function sendAuthorized(
  record: Operation,
  { credentials, tokenSource }: Connection,
  attempt: (authorization: string) => Promise<Response>
): Promise<Response> {
  if (record.credential.type === 'sdkKey') {
    if (!credentials.sdkKey) throw new TypeError(`${record.id} needs credentials.sdkKey`)
    return attempt(credentials.sdkKey)
  }
  const response = await attempt(`Bearer ${await tokenSource.getToken(record.id)}`)
  if (response.status !== 401 || !tokenSource.invalidate()) return response
  await response.body?.cancel()
  return attempt(`Bearer ${await tokenSource.getToken(record.id)}`)
}

function urlOf(record: Operation, { params, query }: Parts, address: string): URL {
  const path = record.path.replace(/\{(\w+)\}/g, (_, name) => segment(record, name, params?.[name]))
  const url = new URL(address + path)
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) url.searchParams.append(name, String(one))
    }
  }
  return url
}

/** A parameter as a segment of the path. */
function segment(record: Operation, name: string, value: unknown): string {
  // Addresses with "." and ".." are resolved before they are sent, and would lead to another operation.
  if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value)
  throw new TypeError(
    `${record.id} needs the parameter ${name}, a text other than "." and "..", got ${JSON.stringify(value)}`
  )
}
