import { type Operation, operations } from '@burgee/contract'
import { type Client, createClient, REQUEST_TIMEOUT_MS, type TokenSource } from '@burgee/contract/client'
import { escapeUnicode, formatIssues } from '@burgee/kit/text'
import { ToolError } from '../answers/toolError.ts'
import { version } from '../packageRoot.ts'
import { limited } from './limited.ts'

/** Where the API is, and how it is reached. */
export interface Api {
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string
  /** The platform's, when it is left out. */
  readonly fetch?: typeof fetch
}

/** On whose behalf, and for what, the API is asked. */
export interface Purpose {
  readonly tokens: TokenSource
  readonly toolName: string
  /** What the program calls itself that the assistant runs in, as in `some-host 1.2.3`. */
  readonly assistant: string | undefined
  /** Ends what is under way. */
  readonly signal: AbortSignal
}

/** The API for one call of a tool: it is told who asks, and its answers are held against the contract. */
export function connect(api: Api, { tokens: tokenSource, signal, ...who }: Purpose): Client {
  const send = api.fetch ?? fetch
  const client = createClient({
    baseUrl: api.url,
    credentials: { tokenSource },
    fetch: (url, init) => {
      const headers = { ...init?.headers, ...referrer(who) }
      return send(url, { ...init, headers, signal: limited(REQUEST_TIMEOUT_MS, signal) })
    }
  })
  return checked(client)
}

/** Says which tool asks, for which assistant (`management.md` §1). Headers carry ASCII alone. */
function referrer({ toolName, assistant }: Pick<Purpose, 'toolName' | 'assistant'>): Record<string, string> {
  const told = JSON.stringify({ caller: 'mcp', command: toolName, version, ...(assistant ? { assistant } : {}) })
  return { 'burgee-referrer': 'mcp', 'burgee-referrer-metadata': told.replace(/[^ -~]/g, escapeUnicode) }
}

type Method = (...request: readonly unknown[]) => Promise<unknown>

/** The same client, whose answers are what the contract says or else a failure. */
function checked(client: Client): Client {
  return new Proxy(client, {
    get: (target, id) => {
      const method: Method | undefined = Reflect.get(target, id)
      if (method === undefined) return undefined
      // The members of a client are the ids of the contract's operations.
      const { response: schema }: Operation = operations[id as keyof typeof operations]
      return async (...request: readonly unknown[]) => {
        demandKeys(request[0])
        const answer = await method(...request)
        const mistake = schema?.safeParse(answer).error
        if (!mistake) return answer
        const mistakes = formatIssues(mistake, answer, 'answer').join('; ')
        throw new ToolError('SCHEMA_VALIDATION_ERROR', `${String(id)} answered what the API does not say: ${mistakes}`)
      }
    }
  })
}

/** Keys stand in addresses, where these would lead elsewhere. @throws {ToolError} */
function demandKeys(request: unknown): void {
  const { params } = Object(request)
  for (const [name, value] of Object.entries(Object(params))) {
    if (value !== '' && value !== '.' && value !== '..') continue
    throw new ToolError('VALIDATION_ERROR', `${name} should be a key or an id, got ${JSON.stringify(value)}`)
  }
}
