import type { IncomingMessage } from 'node:http'
import { isDisconnect } from '@burgee/kit'
import { findRepeatedMember } from '@burgee/kit/text'
import { badRequest, HttpError } from '../../lib/errors.ts'

/** The maximum size of a token request body, in bytes. */
const MAX_BYTES = 16 * 1024

/** The parameters of a token request, by name. */
export type RequestParameters = ReadonlyMap<string, string>

/**
 * Reads the parameters of a token request from its body: a form, as OAuth defines it, or a JSON object of strings.
 * `types` are the accepted content types.
 * @throws {HttpError} 400, 413 or 415. Messages name the problem, never a value.
 */
export async function readRequestParameters(
  request: IncomingMessage,
  types: readonly string[] = [FORM_CONTENT_TYPE, 'application/json']
): Promise<RequestParameters> {
  const type = assertContentType(request, types)
  const text = await readText(request)
  const parameters = new Map<string, string>()
  for (const [name, value] of type === FORM_CONTENT_TYPE ? new URLSearchParams(text) : membersOf(text)) {
    if (parameters.has(name)) throw repeated(name)
    parameters.set(name, value)
  }
  return parameters
}

/** Reads a form, whose fields may be repeated, as text. @throws {HttpError} 400, 413 or 415 */
export async function readFormText(request: IncomingMessage): Promise<string> {
  assertContentType(request, [FORM_CONTENT_TYPE])
  return readText(request)
}

/** Returns the content type, without its parameters. @throws {HttpError} 415 for others, and for encoded bodies. */
function assertContentType({ headers }: IncomingMessage, types: readonly string[]): string {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type === undefined || !types.includes(type)) {
    throw unsupported(`content-type should be ${types.join(' or ')}, got ${type || 'none'}`)
  }
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity') throw unsupported(`content-encoding should be identity, got ${encoding}`)
  return type
}

/** The content type that OAuth defines. */
export const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded'

function unsupported(message: string): HttpError {
  return new HttpError(415, message)
}

function repeated(name: string): HttpError {
  return badRequest(`${name} should be given once, got it several times`)
}

async function readText(request: IncomingMessage): Promise<string> {
  const bytes = await readBytes(request).catch((cause) => {
    if (isDisconnect(cause)) throw new HttpError(408, 'the body is incomplete')
    throw cause
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
  // A destroyed request could not be drained, and its caller would get no response.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MAX_BYTES) break
    chunks.push(chunk)
  }
  if (size <= MAX_BYTES) return Buffer.concat(chunks)
  // Drain only after iteration has ended: the next request on this connection follows the rest of the body.
  request.resume()
  throw new HttpError(413, `the body is larger than ${MAX_BYTES} bytes`)
}

function membersOf(text: string): [string, string][] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // The parser's message would quote the body, which may contain the secret.
    throw badRequest('the body is not JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badRequest('the body should be an object')
  const members = Object.entries(body).map(([name, value]): [string, string] => {
    if (typeof value !== 'string') throw badRequest(`${name.slice(0, 100)} should be a string`)
    return [name, value]
  })
  const name = findRepeatedMember(text)
  if (name !== undefined) throw repeated(name.slice(0, 100))
  return members
}
