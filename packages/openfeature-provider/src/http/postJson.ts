import { withTimeout } from '@burgee/kit'
import { readText } from './configDownload.ts'
import { readRetryAfter } from './retryAfter.ts'
import { addressOf, type ServerOptions } from './serverOptions.ts'

/** The response to a JSON request. */
export interface JsonResponse {
  readonly status: number
  /** The `Retry-After` of the response, if any. */
  readonly retryAfterMs: number | undefined
  readonly isJson: boolean
  /** The body, or undefined if it is too large or cannot be read. */
  readonly text: string | undefined
}

/** A JSON request. */
export interface JsonRequest {
  readonly path: string
  /** The SDK key, which is read once per request. */
  readonly key: string
  /** The JSON text. */
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** Aborts the request. */
  readonly signal: AbortSignal
}

/** The maximum size of a response body, in bytes. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024

/**
 * Posts JSON. Redirects are not followed, because the key must not reach other servers. Rejects if no status
 * arrives in time; a body that cannot be read is omitted.
 */
export function postJson(
  server: ServerOptions,
  { path, key, body, headers, signal }: JsonRequest
): Promise<JsonResponse> {
  return withTimeout(server.requestTimeoutMs ?? 10_000, signal, async (requestSignal) => {
    const response = await (server.fetch ?? fetch)(addressOf(server, path), {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: requestSignal
    })
    return {
      status: response.status,
      retryAfterMs: readRetryAfter(response.headers, server),
      isJson: /^application\/([^;+]+\+)?json\b/i.test(response.headers.get('content-type') ?? ''),
      text: await readText(response, MAX_RESPONSE_BYTES).catch(() => undefined)
    }
  })
}
