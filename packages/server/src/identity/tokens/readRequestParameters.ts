import type { IncomingMessage } from 'node:http'
import { ApiError, badRequest } from '../../lib/errors.ts'

/** The largest body of a token request, in bytes. */
const MAX_BYTES = 16 * 1024

/** The parameters of a token request, by name. */
export type RequestParameters = ReadonlyMap<string, string>

/**
 * Reads the parameters of a token request from its body: a form, as OAuth has it, or a JSON object of texts.
 * @throws {ApiError} 400, 413 or 415, naming what is wrong but no value.
 */
export async function readRequestParameters(request: IncomingMessage): Promise<RequestParameters> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== FORM_CONTENT_TYPE && type !== 'application/json') {
    throw unsupported(`content-type should be ${FORM_CONTENT_TYPE} or application/json, got ${type || 'none'}`)
  }
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity') throw unsupported(`content-encoding should be identity, got ${encoding}`)
  const text = await readText(request)
  const parameters = new Map<string, string>()
  for (const [name, value] of type === FORM_CONTENT_TYPE ? new URLSearchParams(text) : membersOf(text)) {
    if (parameters.has(name)) throw repeated(name)
    parameters.set(name, value)
  }
  return parameters
}

/** The content type of OAuth's own requests. */
export const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded'

function unsupported(message: string): ApiError {
  return new ApiError(415, 'unsupported_media_type', message)
}

function repeated(name: string): ApiError {
  return badRequest(`${name} should be given once, got it several times`)
}

async function readText(request: IncomingMessage): Promise<string> {
  const bytes = await readBytes(request).catch((cause) => {
    if (cause instanceof ApiError) throw cause
    // The connection ended, or was cut because the caller took too long.
    throw new ApiError(408, 'invalid_request', 'the body did not arrive as a whole')
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badRequest('the body is not valid UTF-8')
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  // A request that is destroyed at an early end can no longer be drained, and its caller not answered.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MAX_BYTES) break
    chunks.push(chunk)
  }
  if (size <= MAX_BYTES) return Buffer.concat(chunks)
  // Only once nobody iterates any more: the next request on this connection comes after the rest.
  request.resume()
  throw new ApiError(413, 'too_large', `the body is larger than ${MAX_BYTES} bytes`)
}

function membersOf(text: string): [string, string][] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // What the parser says would show a part of the body, and the secret may be in it.
    throw badRequest('the body is not JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badRequest('the body should be an object')
  const members = Object.entries(body).map(([name, value]): [string, string] => {
    if (typeof value !== 'string') throw badRequest(`${name.slice(0, 100)} should be a text`)
    return [name, value]
  })
  // Of a member given twice the parser keeps the last. All members are texts, so each was written as two of them.
  const written = text.match(/"(?:[^"\\]|\\.)*"/g)?.length ?? 0
  if (written !== members.length * 2) throw badRequest('every member should be given once, got one several times')
  return members
}
