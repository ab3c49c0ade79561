import { type Operation, operations } from '@burgee/contract'
import { type Client, createClient, REQUEST_TIMEOUT_MS, type TokenSource } from '@burgee/contract/client'
import { timeoutSignal } from '@burgee/kit'
import { escapeUnicode, formatIssues } from '@burgee/kit/text'
import type { ApiAddress } from '../connection/context.ts'
import { version } from '../packageRoot.ts'
import { ToolError } from '../results/toolError.ts'

/** The caller of the API, and the tool that the call is for. */
export interface CallOrigin {
  readonly tokens: TokenSource
  readonly toolName: string
  /** The name and version of the MCP client, for example `some-host 1.2.3`. */
  readonly assistant: string | undefined
  /** Aborts requests in progress. */
  readonly signal: AbortSignal
}

/** Creates the API client of one tool call. Its responses are validated against the contract. */
export function createApiClient(api: ApiAddress, { tokens, signal, ...origin }: CallOrigin): Client {
  const send = api.fetch ?? fetch
  const client = createClient({
    baseUrl: api.url,
    credentials: { tokenSource: tokens },
    fetch: (url, init) => {
      const headers = { ...init?.headers, ...referrerHeaders(origin) }
      return send(url, { ...init, headers, signal: timeoutSignal(REQUEST_TIMEOUT_MS, signal) })
    }
  })
  return withResponseValidation(client)
}

/** Names the tool and the assistant for the audit log (docs/reference/management.md). Headers are limited to ASCII. */
function referrerHeaders({ toolName, assistant }: Pick<CallOrigin, 'toolName' | 'assistant'>): Record<string, string> {
  const metadata = JSON.stringify({ caller: 'mcp', command: toolName, version, ...(assistant ? { assistant } : {}) })
  return { 'burgee-referrer': 'mcp', 'burgee-referrer-metadata': metadata.replace(/[^ -~]/g, escapeUnicode) }
}

type Method = (...request: readonly unknown[]) => Promise<unknown>

/** Makes methods reject with a `ToolError` when a response does not match the contract. */
function withResponseValidation(client: Client): Client {
  return new Proxy(client, {
    get: (target, id) => {
      const method: Method | undefined = Reflect.get(target, id)
      if (method === undefined) return undefined
      // The methods of a client are named after the operations of the contract.
      const { response: schema }: Operation = operations[id as keyof typeof operations]
      return async (...request: readonly unknown[]) => {
        assertPathKeys(request[0])
        const response = await method(...request)
        const error = schema?.safeParse(response).error
        if (!error) return response
        const issues = formatIssues(error, response, 'response').join('; ')
        throw new ToolError(
          'SCHEMA_VALIDATION_ERROR',
          `the response of ${String(id)} does not match the API: ${issues}`
        )
      }
    }
  })
}

/** Asserts that path parameters do not address another resource, as `..` would. @throws {ToolError} */
function assertPathKeys(request: unknown): void {
  const { params } = Object(request)
  for (const [name, value] of Object.entries(Object(params))) {
    if (value !== '' && value !== '.' && value !== '..') continue
    throw new ToolError('VALIDATION_ERROR', `${name} must be a key or an id, got ${JSON.stringify(value)}`)
  }
}
