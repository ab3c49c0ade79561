import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import type { Download } from '../../../delivery/downloads/download.ts'
import type { HttpError } from '../../../lib/errors.ts'
import { matchesEtag } from '../../../lib/etag.ts'
import type { WithEtag } from '../../handlers/shared/handler.ts'
import { JsonText } from '../../handlers/shared/jsonText.ts'
import { EXPOSED_HEADERS } from '../app.ts'
import { negotiateEncoding } from '../response/negotiateEncoding.ts'
import { downloadHeaders, ENCODING, isKnown } from '../response/sendDownload.ts'
import type { FastRoute } from './fastRoutes.ts'

/** A response that is ready to be sent. */
export interface FastReply {
  readonly status: number
  /** Names and values, in turn. */
  readonly headers: readonly string[]
  /** JSON text, or its bytes in an encoding; none for a 304. */
  readonly text: string | Buffer | undefined
}

/** Converts the result of a handler to a response, in the form of its operation. */
export function toReply(
  { record }: FastRoute,
  request: IncomingMessage,
  { result, caller }: { readonly result: unknown; readonly caller: KeyConfig }
): FastReply | Promise<FastReply> {
  // The handler's type guarantees the result for each kind.
  if (record.responseKind === 'download') {
    return toDownloadReply(request.headers, result as Download, caller.restrictions !== undefined)
  }
  const caching = record.method === 'GET' ? NO_STORE : []
  if (record.responseKind !== 'conditional') {
    const text = result instanceof JsonText ? result.text : JSON.stringify(result)
    return { status: record.status, headers: caching, text }
  }
  const { etag, toBody } = result as WithEtag<unknown>
  const headers = [...caching, 'etag', etag]
  const known = request.headers['if-none-match']
  if (known !== undefined && (known === etag || matchesEtag(known, etag)))
    return { status: 304, headers, text: undefined }
  return { status: record.status, headers, text: toBody().text }
}

const NO_STORE = ['cache-control', 'no-store']

function toDownloadReply(
  headers: IncomingHttpHeaders,
  download: Download,
  isRestricted: boolean
): FastReply | Promise<FastReply> {
  const all = [...Object.entries(downloadHeaders(download, isRestricted)).flat(), 'Vary', ENCODING]
  if (isKnown(headers, download)) return { status: 304, headers: all, text: undefined }
  // Node joins repeated headers of this name.
  const encoding = negotiateEncoding(String(headers[ENCODING] ?? ''))
  if (encoding !== 'identity') all.push('content-encoding', encoding)
  return download.encode(encoding).then((text) => ({ status: 200, headers: all, text }))
}

/** Converts an error to a response. Errors are not cached: the next request may succeed. */
export function toErrorReply(error: HttpError, body: unknown): FastReply {
  return { status: error.status, headers: NO_STORE, text: JSON.stringify(body) }
}

/** Sends a response with the headers of every response of the application, in the same order. */
export function sendReply(
  response: ServerResponse,
  requestId: string,
  { status, headers, text }: FastReply,
  isStopping: boolean
): void {
  // A response whose connection is closed would report an error.
  if (response.destroyed) return
  const all = ['x-request-id', requestId, ...SHARED_HEADERS, ...headers]
  if (text !== undefined) all.push('Content-Type', 'application/json; charset=utf-8')
  // Makes clients open a new connection for their next request before the server closes this one.
  if (isStopping) all.push('connection', 'close')
  if (text === undefined) {
    response.writeHead(status, all).end()
    return
  }
  all.push('Content-Length', String(Buffer.byteLength(text)))
  response.writeHead(status, all)
  // `end(text)` would write a second, empty chunk, which takes a microsecond longer.
  const { socket } = response
  socket?.cork()
  response.write(text)
  socket?.uncork()
  response.end()
}

const SHARED_HEADERS = [
  ...['x-content-type-options', 'nosniff'],
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', EXPOSED_HEADERS.join(',')]
]
