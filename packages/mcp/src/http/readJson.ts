import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { isDisconnect } from '@burgee/kit'
import { measureJson } from '@burgee/kit/text'
import { isJsonContentType } from '@modelcontextprotocol/server'
import { errorResponse } from './errorResponse.ts'

/** The largest body, in bytes; the same as in the API. */
export const MAX_BODY_BYTES = 1024 * 1024

/** The deepest nesting; more than the API accepts, so that errors of tools can name the invalid value. */
const MAX_DEPTH = 64

/** The maximum number of members of an object; a feature has at most 1,000 variables. Validation of many more takes long. */
const MAX_MEMBERS = 2_000

/** The wait after a body that is too large, in milliseconds: it is refused each time, so it should not be repeated. */
const TOO_LARGE_WAIT_MS = 60 * 60_000

/** Reads the JSON body of a request. Returns an error response when it is missing, malformed or too large. */
export async function readJson(request: IncomingMessage, now: number): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers
  if (!isJsonContentType(type))
    return errorResponse(415, `content-type must be application/json, got ${type ?? 'none'}`)
  if (encoding !== 'identity') return errorResponse(415, `content-encoding must be identity, got ${encoding}`)
  const bytes = await collect(request).catch((error) => {
    if (isDisconnect(error)) return malformed('the body is incomplete')
    throw error
  })
  if (bytes instanceof Response) return bytes
  if (bytes === undefined) {
    const retry = { afterMs: TOO_LARGE_WAIT_MS, now }
    return errorResponse(413, `the body is larger than ${MAX_BODY_BYTES} bytes`, { retry })
  }
  const text = decode(bytes)
  if (text === undefined) return malformed('the body is not valid UTF-8')
  const { depth, members } = measureJson(text, MAX_DEPTH)
  if (depth > MAX_DEPTH) return malformed(`the body is nested deeper than ${MAX_DEPTH} levels`)
  if (members > MAX_MEMBERS) return malformed(`an object of the body has more than ${MAX_MEMBERS} members`)
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return malformed(`the body is not JSON: ${error.message}`)
    throw error
  }
}

function malformed(message: string): Response {
  return errorResponse(400, message, { code: PARSE_ERROR })
}

/** The JSON-RPC code for a body that is not JSON. */
const PARSE_ERROR = -32_700

/** Returns the bytes of a body, or `undefined` when there are too many. */
async function collect(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  // Destroying the request would destroy the connection before the response is sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) break
    chunks.push(chunk)
  }
  // Clients read the response only after they have sent the whole body.
  request.resume()
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks)
}

/** Returns the text of UTF-8, or `undefined` for other bytes. */
function decode(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined
}
