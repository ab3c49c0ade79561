import { operations } from '../operations.ts'
import type { ClientCredentials, Credentials } from './credentials.ts'
import { type Client, createTableClient } from './tableClient.ts'
import { createTokenSource } from './tokenSource.ts'
import { REQUEST_TIMEOUT_MS } from './transport.ts'

/** Options of `createClient`. */
export interface ClientOptions {
  /** The address of the server, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  readonly credentials: Credentials
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Milliseconds after which a request is aborted, and its method rejects. Defaults to 30 seconds. */
  readonly timeoutMs?: number
}

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
  const options = { baseUrl, fetch: send, timeoutMs, table: Object.values(operations) }
  if (isClientCredentials(credentials)) {
    const tokenSource = createTokenSource({ baseUrl, credentials, fetch: send, timeoutMs })
    return createTableClient({ ...options, credentials: { tokenSource } })
  }
  return createTableClient({ ...options, credentials })
}

/** Whether there are an id and a secret. With one of them only, methods that need a token reject. */
function isClientCredentials(credentials: Credentials): credentials is ClientCredentials {
  // The credentials of untyped callers can be missing.
  return Boolean(credentials?.clientId && credentials.clientSecret)
}
