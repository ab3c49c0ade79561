import { readText } from './download.ts'
import { addressOf, type ServerOptions } from './server.ts'
import { within } from './within.ts'

/** What a server answered to a request. */
export interface Answer {
  readonly status: number
  /** How long it asks to be left alone, if it does. */
  readonly retryAfterMs: number | undefined
  readonly isJson: boolean
  /** The body, or undefined where it is larger than is read. */
  readonly text: string | undefined
}

/** A request. */
export interface Posting {
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
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Posts JSON to the server. It follows no redirect, because the key is for this server only. Rejects when no whole
 * answer comes in time.
 */
export function post(server: ServerOptions, { path, key, body, headers, signal }: Posting): Promise<Answer> {
  return within(server.requestTimeoutMs ?? 10_000, signal, async (ending) => {
    const response = await (server.fetch ?? fetch)(addressOf(server, path), {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: ending
    })
    return {
      status: response.status,
      retryAfterMs: readRetryAfter(response.headers.get('retry-after'), Date.now()),
      isJson: /^application\/([^;+]+\+)?json\b/i.test(response.headers.get('content-type') ?? ''),
      text: await readText(response, MAX_BYTES)
    }
  })
}

/** The longest pause that a server can ask for; one that asks for more has a wrong clock. */
const MAX_PAUSE_MS = 60 * 60 * 1000

/** Reads `Retry-After`: whole seconds, or a date (RFC 9110 §10.2.3). Undefined where it asks for no pause. */
export function readRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  const pause = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return pause > 0 ? Math.min(pause, MAX_PAUSE_MS) : undefined
}
