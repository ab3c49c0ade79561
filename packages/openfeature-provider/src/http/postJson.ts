import { readText } from './configDownload.ts'
import { readRetryAfter } from './retryAfter.ts'
import { addressOf, type ServerOptions } from './serverOptions.ts'
import { withTimeout } from './timeouts.ts'

/** What a server answered to a request. */
export interface JsonResponse {
  readonly status: number
  /** How long it asks to be left alone, if it does. */
  readonly retryAfterMs: number | undefined
  readonly isJson: boolean
  /** The body, or undefined where it is larger than is read, or cannot be. */
  readonly text: string | undefined
}

/** A request. */
export interface JsonRequest {
  readonly path: string
  /** The SDK key, which is asked for once for each request. */
  readonly key: string
  /** JSON text. */
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** Ends it before its time is up. */
  readonly signal: AbortSignal
}

/** The most that is read of an answer, in bytes: far more than the value of a flag. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024

/**
 * Posts JSON to the server. It follows no redirect, because the key is for this server only. Rejects when no status
 * comes in time; where one does, it counts, whatever becomes of the body.
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
