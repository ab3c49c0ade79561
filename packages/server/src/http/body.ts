import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ApiError, invalid } from '../errors.ts'

/** The largest body that is read, in bytes after decompression. */
const MAX_BYTES = 1024 * 1024
/** The deepest nesting that is read: one deep value would make every later write of the store fail. */
const MAX_DEPTH = 32
/** Member names that could reach the prototype of an object. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Reads a request's JSON body. Size, content type, encoding, UTF-8, depth and member names are checked before anything
 * is made of it.
 * @throws {ApiError} 400, 413 or 415, naming what is wrong.
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json' && !type?.endsWith('+json')) {
    throw new ApiError(415, 'unsupported_media_type', `content-type should be application/json, got ${type ?? 'none'}`)
  }
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > MAX_BYTES) throw tooLarge()
  const text = decode(await collect(request))
  if (text.trim() === '') throw malformed('the body is empty; it should be JSON')
  checkDepth(text)
  const value = parse(text)
  checkNames(text, value)
  return value
}

function tooLarge(): ApiError {
  // The rest of the body is not read, so the connection cannot be used again.
  return new ApiError(413, 'too_large', `the body is larger than ${MAX_BYTES} bytes`, { connection: 'close' })
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
    if (cause instanceof ApiError) throw cause
    throw malformed(`the body cannot be read as ${encoding}`)
  }
  return Buffer.concat(chunks)
}

function decompressed(request: IncomingMessage, encoding: string): Readable {
  switch (encoding) {
    case 'identity':
      return request
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

/** Counts brackets outside of texts, without making anything of them. */
function checkDepth(text: string): void {
  let depth = 0
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
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw malformed(`the body is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

function checkNames(text: string, value: unknown): void {
  // A name can only be there if the text spells it, plainly or with escapes.
  if (!/__proto__|constructor|prototype|\\u/.test(text)) return
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const name = Object.keys(next).find((member) => forbidden.has(member))
    if (name !== undefined) throw malformed(`the body has a member named "${name}", which is not allowed`)
    open.push(...Object.values(next))
  }
}
