import { errorMessage } from '../lib/text.ts'
import type { ConfigUpdate } from '../sources/source.ts'
import { formatExplanation } from './explanation.ts'
import { readRetryAfter } from './retryAfter.ts'
import { addressOf, keyOf, maskSecrets, ownerOf, type ServerOptions } from './serverOptions.ts'
import { withTimeout } from './timeouts.ts'

/** What tells the server which state is at hand, as it said it itself. */
export interface CacheValidators {
  /** Whose state it is, as `ownerOf` has it: they say nothing to another server, or of another key. */
  readonly owner: string
  readonly etag: string | null
  readonly lastModified: string | null
}

/** What a download came to. */
export type DownloadResult =
  | { readonly type: 'config'; readonly delivery: ConfigUpdate; readonly validators: CacheValidators }
  | { readonly type: 'unchanged' }
  | {
      readonly type: 'failure'
      readonly message: string
      /** The SDK key, where the server refuses it. */
      readonly refusedKey?: string
      /** For how long the server wants no request, if it says so. */
      readonly retryAfterMs?: number | undefined
    }

/** The largest config document that is read unless options say otherwise, in bytes. */
export const MAX_CONFIG_BYTES = 64 * 1024 * 1024

/** The most that is read of a refusal, in bytes. */
const MAX_EXPLANATION = 64 * 1024

/**
 * Downloads the config document, unless the state at hand is the current one. Redirects are not followed: the address
 * carries the SDK key. It never throws, and it ends when its time is up, whatever the server sends.
 */
export async function downloadConfig(
  server: ServerOptions,
  known: CacheValidators | undefined,
  signal: AbortSignal
): Promise<DownloadResult> {
  let key = ''
  try {
    key = keyOf(server)
    const outcome = await withTimeout(server.requestTimeoutMs ?? 10_000, signal, (ending) => {
      return requestConfig(server, key, known, ending)
    })
    return outcome.type === 'failure' ? { ...outcome, message: describeFailure(server, key, outcome.message) } : outcome
  } catch (error) {
    const what = error instanceof SyntaxError ? `the document is not JSON: ${error.message}` : errorMessage(error)
    return failure(describeFailure(server, key, what))
  }
}

async function requestConfig(
  server: ServerOptions,
  key: string,
  known: CacheValidators | undefined,
  signal: AbortSignal
): Promise<DownloadResult> {
  const address = addressOf(server, `/config/v2/server/${encodeURIComponent(key)}.json`)
  const owner = ownerOf(server, key)
  const own = known?.owner === owner ? known : undefined
  const headers = { accept: 'application/json', ...conditionalHeaders(own) }
  const response = await (server.fetch ?? fetch)(address, { headers, redirect: 'manual', signal })
  if (response.status === 200) return readConfig(response, server.maxBytes ?? MAX_CONFIG_BYTES, owner)
  if (response.status === 401 || response.status === 403) return refusedKeyFailure(response, key)
  await response.body?.cancel()
  if (response.status === 304 && own) return { type: 'unchanged' }
  return unexpectedStatus(response)
}

async function readConfig(response: Response, maxBytes: number, owner: string): Promise<DownloadResult> {
  const text = await readText(response, maxBytes)
  if (text === undefined) return failure(`the document is larger than ${maxBytes} bytes`)
  const { headers } = response
  const validators = { owner, etag: headers.get('etag'), lastModified: headers.get('last-modified') }
  return { type: 'config', delivery: { config: JSON.parse(text), ...parseValidators(validators), owner }, validators }
}

async function refusedKeyFailure(response: Response, key: string): Promise<DownloadResult> {
  // What it says is read if it can be; that it refuses is what matters.
  const text = await readText(response, MAX_EXPLANATION).catch(() => undefined)
  return {
    ...failure(`the SDK key is refused (status ${response.status})${formatExplanation(text, key)}`),
    refusedKey: key
  }
}

function unexpectedStatus({ status, headers }: Response): DownloadResult {
  const location = headers.get('location')
  if (status < 300 || status >= 400 || !location) {
    const retryAfterMs = readRetryAfter(headers, Date.now())
    return { ...failure(`it answered with status ${status}`), retryAfterMs }
  }
  return failure(`it redirects to ${location}, which is not followed; set the url that answers`)
}

function failure(message: string): DownloadResult & { readonly type: 'failure' } {
  return { type: 'failure', message }
}

function describeFailure({ url }: ServerOptions, key: string, what: string): string {
  return maskSecrets(`the config cannot be read from ${url}: ${what}`, key)
}

function conditionalHeaders(known: CacheValidators | undefined): Record<string, string> {
  return {
    ...(known?.etag ? { 'if-none-match': known.etag } : {}),
    ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {})
  }
}

/** The body as text, or undefined where it has more than so many bytes; the rest of such a one is not read. */
export async function readText({ body }: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    // Leaving the loop cancels the body.
    if (bytes > maxBytes) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseValidators({ etag, lastModified }: CacheValidators): Pick<ConfigUpdate, 'etag' | 'lastModified'> {
  const moment = lastModified === null ? Number.NaN : Date.parse(lastModified)
  return { etag: etag ?? undefined, lastModified: Number.isNaN(moment) ? undefined : moment }
}
