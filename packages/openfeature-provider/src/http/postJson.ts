import { readText } from './configDownload.ts'
import { readRetryAfter } from './retryAfter.ts'
import { addressOf, type ServerOptions } from './serverOptions.ts'
import { withTimeout } from './timeouts.ts'

/** A response. */
export interface JsonResponse {
  readonly status: number
  /** The `Retry-After` of the response, if any. */
  readonly retryAfterMs: number | undefined
  readonly isJson: boolean
  /** The body, or undefined if it is too large or cannot be read. */
  readonly text: string | undefined
}

/** A request. */
export interface JsonRequest {
  readonly path: string
  /** The SDK key, which is read once per request. */
  readonly key: string
  /** JSON. */
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the request early. */
  readonly signal: AbortSignal
}

/** The longest body that is read, in bytes. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024

/**
 * Posts JSON. Redirects are not followed, because the key is for this server only. Rejects when no status arrives in
 * time; a body that cannot be read is left out.
 */
export function postJson(
  server: ServerOptions,
  { path, key, body, headers, signal }: JsonRequest
): Promise<JsonResponse> {
  return withTimeout(server.requestTimeoutMs ?? 10_000, signal, async (ending) => {
    const response = await (server.fetch ?? fetch)(addressOf(server, path), {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: ending
    })
    return {
      status: response.status,
      retryAfterMs: readRetryAfter(response.headers, Date.now()),
      isJson: /^application\/([^;+]+\+)?json\b/i.test(response.headers.get('content-type') ?? ''),
      text: await readText(response, MAX_RESPONSE_BYTES).catch(() => undefined)
    }
  })
}
