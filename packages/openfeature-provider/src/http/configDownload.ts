import { withTimeout } from '@burgee/kit'
import type { DocumentReader } from '../config/documentReader.ts'
import { documentDecoder, errorMessage } from '../lib/text.ts'
import type { ConfigUpdate } from '../sources/source.ts'
import { formatExplanation } from './explanation.ts'
import { readRetryAfter } from './retryAfter.ts'
import { addressOf, keyOf, maskSecrets, ownerOf, type ServerOptions } from './serverOptions.ts'

/** The validators of the last document, for conditional requests. */
export interface CacheValidators {
  /** Identifies the server and key of the document. Validators are only valid for the same owner. */
  readonly owner: string
  readonly etag: string | null
  readonly lastModified: string | null
}

/** The result of a download. */
export type DownloadResult =
  | { readonly type: 'config'; readonly update: ConfigUpdate; readonly validators: CacheValidators }
  | { readonly type: 'unchanged' }
  | {
      readonly type: 'failure'
      readonly message: string
      /** The SDK key, if the server rejected it. */
      readonly refusedKey?: string
      /** The `Retry-After` of the response, if any. */
      readonly retryAfterMs?: number | undefined
    }

/** The default of `maxBytes`. */
export const MAX_CONFIG_BYTES = 64 * 1024 * 1024

/** The maximum size of an error body, in bytes. */
const MAX_EXPLANATION = 64 * 1024

/**
 * Downloads the config unless it is unchanged. Redirects are not followed, because the address contains the SDK key. It
 * never throws, and has a timeout.
 */
export async function downloadConfig(
  server: ServerOptions,
  cached: CacheValidators | undefined,
  documents: DocumentReader,
  signal: AbortSignal
): Promise<DownloadResult> {
  let key = ''
  try {
    key = keyOf(server)
    const outcome = await withTimeout(server.requestTimeoutMs ?? 10_000, signal, (requestSignal) => {
      return requestConfig(server, key, cached, documents, requestSignal)
    })
    return outcome.type === 'failure' ? { ...outcome, message: describeFailure(server, key, outcome.message) } : outcome
  } catch (error) {
    const reason = error instanceof SyntaxError ? `the document is not JSON: ${error.message}` : errorMessage(error)
    return failure(describeFailure(server, key, reason))
  }
}

async function requestConfig(
  server: ServerOptions,
  key: string,
  cached: CacheValidators | undefined,
  documents: DocumentReader,
  signal: AbortSignal
): Promise<DownloadResult> {
  const address = addressOf(server, `/config/v2/server/${encodeURIComponent(key)}.json`)
  const owner = ownerOf(server, key)
  const usableValidators = cached?.owner === owner ? cached : undefined
  const headers = { accept: 'application/json', ...conditionalHeaders(usableValidators) }
  const response = await (server.fetch ?? fetch)(address, { headers, redirect: 'manual', signal })
  if (response.status === 200) return readConfig(response, documents, server.maxBytes ?? MAX_CONFIG_BYTES, owner)
  if (response.status === 401 || response.status === 403) return refusedKeyFailure(response, key)
  await response.body?.cancel()
  if (response.status === 304 && usableValidators) return { type: 'unchanged' }
  return unexpectedStatus(response, server)
}

async function readConfig(
  response: Response,
  documents: DocumentReader,
  maxBytes: number,
  owner: string
): Promise<DownloadResult> {
  const pieces = await readPieces(response, maxBytes)
  if (pieces === undefined) return failure(`the document is larger than ${maxBytes} bytes`)
  const { headers } = response
  const validators = { owner, etag: headers.get('etag'), lastModified: headers.get('last-modified') }
  const config = await documents.read(pieces)
  return { type: 'config', update: { config, ...parseValidators(validators), owner }, validators }
}

async function refusedKeyFailure(response: Response, key: string): Promise<DownloadResult> {
  // The body is optional; the status decides.
  const text = await readText(response, MAX_EXPLANATION).catch(() => undefined)
  return {
    ...failure(`the SDK key is refused (status ${response.status})${formatExplanation(text, key)}`),
    refusedKey: key
  }
}

function unexpectedStatus({ status, headers }: Response, server: ServerOptions): DownloadResult {
  const location = headers.get('location')
  if (status < 300 || status >= 400 || !location) {
    const retryAfterMs = readRetryAfter(headers, server)
    return { ...failure(`it answered with status ${status}`), retryAfterMs }
  }
  return failure(`it redirects to ${location}, which is not followed; set url to the final address`)
}

function failure(message: string): DownloadResult & { readonly type: 'failure' } {
  return { type: 'failure', message }
}

function describeFailure({ url }: ServerOptions, key: string, reason: string): string {
  return maskSecrets(`the config cannot be read from ${url}: ${reason}`, key)
}

function conditionalHeaders(cached: CacheValidators | undefined): Record<string, string> {
  return {
    ...(cached?.etag ? { 'if-none-match': cached.etag } : {}),
    ...(cached?.lastModified ? { 'if-modified-since': cached.lastModified } : {})
  }
}

/** Returns the body as text, or undefined if it exceeds the limit. */
export async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  const pieces = await readPieces(response, maxBytes)
  return pieces?.join('')
}

/** Returns the body as pieces of text, or undefined if it exceeds the limit. */
async function readPieces({ body }: Response, maxBytes: number): Promise<string[] | undefined> {
  const decoder = documentDecoder()
  const pieces: string[] = []
  let bytes = 0
  let chunks: Uint8Array[] = []
  let pending = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    // Leaving the loop cancels the body.
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
    pending += chunk.byteLength
    if (pending < PIECE_BYTES) continue
    pieces.push(decoder.decode(Buffer.concat(chunks), { stream: true }))
    chunks = []
    pending = 0
  }
  pieces.push(decoder.decode(Buffer.concat(chunks)))
  return pieces
}

/** The garbage collector does not copy texts of this size, which would take it several milliseconds. */
const PIECE_BYTES = 256 * 1024

function parseValidators({ etag, lastModified }: CacheValidators): Pick<ConfigUpdate, 'etag' | 'lastModified'> {
  const moment = lastModified === null ? Number.NaN : Date.parse(lastModified)
  return { etag: etag ?? undefined, lastModified: Number.isNaN(moment) ? undefined : moment }
}
