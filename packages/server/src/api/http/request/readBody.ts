import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { measureJson } from '@burgee/kit/text'
import { ApiError, badRequest } from '../../../lib/errors.ts'
import { MAX_JSON_DEPTH, validateStorableJson } from '../../../lib/validateStorableJson.ts'

/** The largest body that is read, in bytes after decompression. */
const MAX_BYTES = 1024 * 1024
/** The most members and items that are read: each one that is wrong takes its time to say so. */
const MAX_VALUES = 100_000
/** The most values and containers that are made of any JSON: this many take a fifth of a second. */
const MAX_PARTS = 500_000

/**
 * Reads a request's JSON body. Size, content type, encoding, UTF-8, depth, member names and values that JSON can spell
 * but nothing can keep are checked before anything is made of it.
 * @throws {ApiError} 400, 413 or 415, naming what is wrong.
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const text = await readText(request, MAX_BYTES)
  assertWithinLimits(text)
  const value = parse(text)
  assertStorable(text, value)
  return value
}

/** How a body is read that can be any JSON. */
interface RawBodyOptions {
  readonly maxBytes: number
  /** Counts bytes as they come, after decompression. @throws {ApiError} when they are too many in all. */
  readonly count: (bytes: number) => Promise<void>
}

/**
 * Reads a request's JSON body whatever it is made of, for those who look through it themselves. Undefined where it is larger
 * than anybody looks at and its sender would only repeat it. Who names what they send can take it apart.
 * @throws {ApiError} 400 when it is not JSON, 413 when it is too large and has a name, 415, and what `count` throws.
 */
export async function readRawBody(request: IncomingMessage, { maxBytes, count }: RawBodyOptions): Promise<unknown> {
  try {
    const text = await readText(request, maxBytes, count)
    const { values, containers } = measureJson(text)
    if (values + containers > MAX_PARTS) throw tooLarge(`${MAX_PARTS} values`)
    return parse(text)
  } catch (error) {
    const isRepeated = error instanceof ApiError && error.status === 413 && !request.headers['idempotency-key']
    if (isRepeated) return undefined
    throw error
  }
}

async function readText(request: IncomingMessage, maxBytes: number, count?: RawBodyOptions['count']): Promise<string> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json' && !type?.endsWith('+json')) {
    throw new ApiError(415, 'unsupported_media_type', `content-type should be application/json, got ${type || 'none'}`)
  }
  const charset = /;\s*charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  if (!/^utf-?8$/i.test(charset)) {
    throw new ApiError(415, 'unsupported_media_type', `charset should be utf-8, got ${charset}`)
  }
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > maxBytes) throw tooLarge(`${maxBytes} bytes`)
  const text = decode(await collect(request, maxBytes, count))
  if (text.trim() === '') throw malformed('the body is empty; it should be JSON')
  return text
}

function tooLarge(limit: string): ApiError {
  return new ApiError(413, 'too_large', `the body is larger than ${limit}`)
}

function malformed(message: string): ApiError {
  return badRequest(message, 'malformed_body')
}

async function collect(request: IncomingMessage, maxBytes: number, count?: RawBodyOptions['count']): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of decompressed(request, encoding)) {
      await count?.(chunk.length)
      size += chunk.length
      if (size > maxBytes) throw tooLarge(`${maxBytes} bytes`)
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

function assertWithinLimits(text: string): void {
  const { depth, values } = measureJson(text)
  if (depth > MAX_JSON_DEPTH) throw malformed(`the body nests deeper than ${MAX_JSON_DEPTH} levels`)
  if (values > MAX_VALUES) throw malformed(`the body has more than ${MAX_VALUES} values`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw malformed(`the body is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

function assertStorable(text: string, body: unknown): void {
  // Each of them takes one of these to spell, and most bodies have none.
  if (!/__proto__|constructor|prototype|\\u|\d[eE]|\d{300}/.test(text)) return
  const mistake = validateStorableJson(body, 'the body')
  if (mistake !== undefined) throw malformed(mistake)
}
