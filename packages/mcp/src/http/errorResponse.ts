import type { ServerResponse } from 'node:http'
import { retryAfterHeaders } from '@burgee/kit'

interface Details {
  readonly headers?: Readonly<Record<string, string>>
  /** The JSON-RPC error code. */
  readonly code?: number
  /** How long the client should wait, and the current time, in milliseconds. */
  readonly retry?: { readonly afterMs: number; readonly now: number }
}

/** Creates an error response in the form of JSON-RPC. */
export function errorResponse(
  status: number,
  message: string,
  { headers, code = -32_000, retry }: Details = {}
): Response {
  const body = { jsonrpc: '2.0', error: { code, message }, id: null }
  const wait = retry && retryAfterHeaders(retry.afterMs, retry.now)
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...wait, ...headers } })
}

/** Creates an error response for a problem that lasts about a second. */
export function temporaryErrorResponse(status: 429 | 503, message: string, now: number): Response {
  return errorResponse(status, message, { retry: { afterMs: 1000, now } })
}

/** Sends a response whose body is not streamed. */
export async function sendResponse(source: Response, response: ServerResponse): Promise<void> {
  const body = Buffer.from(await source.arrayBuffer())
  response.writeHead(source.status, { ...Object.fromEntries(source.headers), 'content-length': body.length })
  response.end(body)
}
