import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { prototypeNames } from '@burgee/contract'
import { ApiError, invalid } from '../errors.ts'

/** The largest body that is read, in bytes after decompression. */
const MAX_BYTES = 1024 * 1024
/** The deepest nesting that is read: one deep value would make every later write of the store fail. */
const MAX_DEPTH = 32
/** The most members and items that are read: each one that is wrong takes its time to say so. */
const MAX_VALUES = 100_000
/** What no text can have: databases refuse NUL, and half a surrogate pair is no character in any encoding. */
const unkeepable = /[\0\p{Surrogate}]/u

/**
 * Reads a request's JSON body. Size, content type, encoding, UTF-8, depth, member names and values that JSON can spell
 * but nothing can keep are checked before anything is made of it.
 * @throws {ApiError} 400, 413 or 415, naming what is wrong.
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json' && !type?.endsWith('+json')) {
    throw new ApiError(415, 'unsupported_media_type', `content-type should be application/json, got ${type || 'none'}`)
  }
  const charset = /;\s*charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  if (!/^utf-?8$/i.test(charset)) {
    throw new ApiError(415, 'unsupported_media_type', `charset should be utf-8, got ${charset}`)
  }
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > MAX_BYTES) throw tooLarge()
  const text = decode(await collect(request))
  if (text.trim() === '') throw malformed('the body is empty; it should be JSON')
  demandModest(text)
  const value = parse(text)
  demandKeepable(text, value)
  return value
}

function tooLarge(): ApiError {
  return new ApiError(413, 'too_large', `the body is larger than ${MAX_BYTES} bytes`)
}

function malformed(message: string): ApiError {
  return invalid(message, 'malformed_body')
}

async function collect(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of decompressed(request, encoding)) {
      size += chunk.length
      if (size > MAX_BYTES) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (cause) {
    // A caller that is still sending reads the answer only once the rest has gone somewhere; the request's time limit ends it.
    request.unpipe()
    request.resume()
    if (cause instanceof ApiError) throw cause
    throw malformed(`the body cannot be read as ${encoding}`)
  }
  return Buffer.concat(chunks)
}

function decompressed(request: IncomingMessage, encoding: string): AsyncIterable<Buffer> {
  switch (encoding) {
    case 'identity':
      // A request that is destroyed at an early end can no longer be drained.
      return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) }
    case 'gzip':
      return piped(request, createGunzip())
    case 'deflate':
      return piped(request, createInflate())
    case 'br':
      return piped(request, createBrotliDecompress())
    default:
      throw new ApiError(
        415,
        'unsupported_media_type',
        `content-encoding should be gzip, deflate or br, got ${encoding}`
      )
  }
}

function piped<T extends Readable & NodeJS.WritableStream>(request: IncomingMessage, decoder: T): T {
  request.on('error', (error) => decoder.destroy(error))
  request.pipe(decoder)
  return decoder
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw malformed('the body is not valid UTF-8')
  }
}

/** Counts brackets and commas outside of texts, without making anything of them. */
function demandModest(text: string): void {
  let depth = 0
  let values = 1
  let isInText = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (isInText) {
      if (character === '\\') index++
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === '{' || character === '[') {
      if (++depth > MAX_DEPTH) throw malformed(`the body nests deeper than ${MAX_DEPTH} levels`)
    } else if (character === '}' || character === ']') depth--
    else if (character === ',' && ++values > MAX_VALUES) {
      throw malformed(`the body has more than ${MAX_VALUES} values`)
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw malformed(`the body is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

function demandKeepable(text: string, body: unknown): void {
  // Each of them takes one of these to spell, and most bodies have none.
  if (!/__proto__|constructor|prototype|\\u|\d[eE]|\d{300}/.test(text)) return
  const open: [name: string, value: unknown][] = [['the body', body]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [name, value] = next
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
      throw malformed(`${name} should be a number up to ${Number.MAX_VALUE}, got one beyond`)
    }
    if (typeof value === 'string') demandKeepableText(name, value)
    if (typeof value !== 'object' || value === null) continue
    for (const [member, inner] of Object.entries(value)) {
      if (prototypeNames.includes(member)) {
        throw malformed(`the body has a member named "${member}", which is not allowed`)
      }
      demandKeepableText('the name of a member', member)
      open.push([Array.isArray(value) ? name : member, inner])
    }
  }
}

function demandKeepableText(name: string, text: string): void {
  if (!unkeepable.test(text)) return
  throw malformed(`${name} should have neither NUL nor half a surrogate pair, got ${JSON.stringify(text).slice(0, 80)}`)
}
