import type { Operation, Output, Request } from './operation.ts'
import { type Operations, operations } from './operations.ts'

/** Where a client finds the API and how it identifies itself. */
export interface ClientOptions {
  /** As in `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  readonly sdkKey: string
  /** The `fetch` to use; the platform's when it is left out. */
  readonly fetch?: typeof fetch
}

/** One method for each operation. A request that is refused rejects with an `ApiError`. */
export type Client = {
  readonly [Id in keyof Operations]: (request: Request<Operations[Id]>) => Promise<Output<Operations[Id]>>
}

/** The API answered with a status that is not the operation's success. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly operation: string
  readonly status: number
  /** The answer's body: JSON when it was, text otherwise. */
  readonly body: unknown

  constructor(operation: string, status: number, body: unknown) {
    super(`${operation} answered ${status}: ${typeof body === 'string' ? body : JSON.stringify(body)}`)
    this.operation = operation
    this.status = status
    this.body = body
  }
}

/**
 * Makes a client whose methods and types are the contract's operations.
 *
 * @example
 * const burgee = createClient({ baseUrl: 'http://127.0.0.1:8080', sdkKey: 'server-…' })
 * const variable = await burgee.evaluateVariable({ params: { key: 'new-checkout' }, body: { user_id: 'ada' } })
 */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(operations).map(([id, record]) => [
    id,
    (request: Parts) => call(record, request, options)
  ])
  // Each method sends what the record of its own id says, and the answer is that record's response.
  return Object.fromEntries(methods) as Client
}

interface Parts {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

async function call(record: Operation, request: Parts, options: ClientOptions): Promise<unknown> {
  const path = record.path.replace(/\{(\w+)\}/g, (_, name) => segment(record, name, request.params?.[name]))
  const url = new URL(options.baseUrl.replace(/\/$/, '') + path)
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const response = await (options.fetch ?? fetch)(url, {
    method: record.method,
    headers: { authorization: options.sdkKey, ...(record.body ? { 'content-type': 'application/json' } : {}) },
    ...(record.body ? { body: JSON.stringify(request.body) } : {})
  })
  const text = await response.text()
  if (response.status !== record.status) throw new ApiError(record.id, response.status, parsed(text))
  return parsed(text)
}

/** A parameter as a segment of the path. */
function segment(record: Operation, name: string, value: unknown): string {
  // Addresses with "." and ".." are resolved before they are sent, and would lead to another operation.
  if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value)
  throw new TypeError(
    `${record.id} needs the parameter ${name}, a text other than "." and "..", got ${JSON.stringify(value)}`
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
