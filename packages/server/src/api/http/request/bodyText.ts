import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { isDisconnect } from '@burgee/kit'
import { HttpError } from '../../../lib/errors.ts'
import { malformed, tooLarge } from './bodyError.ts'
import { findHandOver } from './handOver.ts'

/** Counts bytes of a body. @throws {HttpError} if the total exceeds a limit. */
type CountBytes = (bytes: number) => Promise<void>

/**
 * Reads the text of a JSON body. Checks content type, encoding, size and UTF-8.
 * @param count Counts bytes as they arrive, after decompression.
 * @throws {HttpError} 400, 413 or 415, and what `count` throws.
 */
export async function readText(request: IncomingMessage, maxBytes: number, count?: CountBytes): Promise<string> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json' && !type?.endsWith('+json')) {
    throw new HttpError(415, `content-type should be application/json, got ${type || 'none'}`)
  }
  const charset = /;\s*charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  if (!/^utf-?8$/i.test(charset)) {
    throw new HttpError(415, `charset should be utf-8, got ${charset}`)
  }
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > maxBytes) throw tooLarge(`${maxBytes} bytes`)
  const begun = findHandOver(request)?.body
  if (begun) return decodeText(begun)
  const text = await collect(request, maxBytes, count)
  assertNotEmpty(text)
  return text
}

function assertNotEmpty(text: string): void {
  if (text.trim() === '') throw malformed('the body is empty; it should be JSON')
}

/** Collects a body. Chunks are decoded as they arrive: decoding 8 MiB at once would take up to 0.1 s. */
async function collect(request: IncomingMessage, maxBytes: number, count?: CountBytes): Promise<string> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  try {
    for await (const chunk of decompressed(request, encoding)) {
      await count?.(chunk.length)
      size += chunk.length
      if (size > maxBytes) throw tooLarge(`${maxBytes} bytes`)
      text += decode(decoder, chunk)
    }
    return text + decode(decoder)
  } catch (cause) {
    // Clients read the response only after they have sent the whole body. The request timeout bounds the drain.
    request.unpipe()
    request.resume()
    if (isDisconnect(cause) || isDecompressionError(cause)) throw malformed(`the body cannot be read as ${encoding}`)
    throw cause
  }
}

/**
 * Whether an error of a decompressor is about its input. The codes of zlib begin with `Z_`, those of Brotli with
 * `ERR_`.
 */
function isDecompressionError(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && 'code' in error && /^(Z|ERR)_/.test(String(error.code))
}

function decompressed(request: IncomingMessage, encoding: string): AsyncIterable<Buffer> {
  switch (encoding) {
    case 'identity':
      // A destroyed request cannot be drained.
      return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) }
    case 'gzip':
      return piped(request, createGunzip())
    case 'deflate':
      return piped(request, createInflate())
    case 'br':
      return piped(request, createBrotliDecompress())
    default:
      throw new HttpError(415, `content-encoding should be gzip, deflate or br, got ${encoding}`)
  }
}

function piped<T extends Readable & NodeJS.WritableStream>(request: IncomingMessage, decoder: T): T {
  request.on('error', (error) => decoder.destroy(error))
  request.pipe(decoder)
  return decoder
}

/** Decodes a part of a text; without one, its end. */
function decode(decoder: InstanceType<typeof TextDecoder>, bytes?: Buffer): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw malformed(NOT_UTF8)
  }
}

/**
 * Decodes a small body, faster than a `TextDecoder` and with the same result.
 * @throws {HttpError} 400 if it is empty, or not UTF-8.
 */
export function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformed(NOT_UTF8)
  const text = decodeUtf8(bytes)
  assertNotEmpty(text)
  return text
}

/** Decodes bytes that are valid UTF-8, without their byte order mark. */
export function decodeUtf8(bytes: Buffer): string {
  const text = bytes.toString()
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

const NOT_UTF8 = 'the body is not valid UTF-8'

const BYTE_ORDER_MARK = '\ufeff'
