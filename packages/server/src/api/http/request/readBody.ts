import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { isDisconnect } from '@burgee/kit'
import { formatValue, measureJson, searchRepeatedMember } from '@burgee/kit/text'
import { HttpError } from '../../../lib/errors.ts'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { createTimeSlices, takeTurn } from '../../../lib/time.ts'
import { MAX_JSON_DEPTH, validateStorableJson } from '../../../storage/validateStorableJson.ts'
import { BodyError } from './bodyError.ts'
import { findHandOver } from './handOver.ts'
import { parseInSlices } from './parseInSlices.ts'

/** The maximum size of a body in bytes, after decompression. */
const MAX_BYTES = 1024 * 1024
/** The maximum number of properties and items in a body that is validated: each can produce an issue. */
const MAX_VALUES = 100_000
/**
 * The maximum number of members of an object in a body that is validated. Zod takes far longer for members than for
 * items.
 */
const MAX_MEMBERS = 10_000
/**
 * The length in characters from which a body is read in turns of the event loop of its own: it would delay evaluations.
 */
const LARGE_LENGTH = 64 * 1024
/**
 * The length in characters up to which handlers get the text of a body that is not validated: searching it takes less
 * than a millisecond.
 */
const MAX_KEPT_LENGTH = 256 * 1024

/** Options for a body that is validated. */
interface BodyOptions extends Partial<Pick<RawBodyOptions, 'count'>> {
  /** Accepts repeated members, of which the last one counts, as SDKs have always been able to send. */
  readonly acceptsRepeatedMembers?: boolean
  /** Takes a turn of the event loop for small bodies too. */
  readonly isManagement?: boolean
}

/**
 * Reads a JSON body. Checks content type, encoding, size, UTF-8, depth, property names, repeated members, and values
 * that are valid JSON but that the store cannot represent.
 * @throws {HttpError} 400, 413 or 415, and what `count` throws.
 */
export async function readBody(
  request: IncomingMessage,
  { count, acceptsRepeatedMembers = false, isManagement = false }: BodyOptions = {}
): Promise<unknown> {
  const text = await readText(request, MAX_BYTES, count)
  const isLarge = text.length > LARGE_LENGTH
  if (isManagement || isLarge) await takeTurn()
  const value = isLarge ? await parseLarge(text) : parse(text)
  if (!acceptsRepeatedMembers) await assertMembersUnique(text)
  assertStorable(text, value)
  return value
}

/**
 * Parses a small JSON body of an SDK, as `readBody` does.
 * @throws {HttpError} 400
 */
export function parseSmallBody(bytes: Buffer): unknown {
  const text = decodeAll(bytes)
  assertNotEmpty(text)
  const value = parse(text)
  assertStorable(text, value)
  return value
}

/** Whether a request has a body. An empty one of known length counts as none. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Options for a body that is not validated. */
interface RawBodyOptions {
  readonly maxBytes: number
  /** The maximum number of values, objects and lists. */
  readonly maxValues: number
  /** The maximum number of members of an object. */
  readonly maxMembers: number
  /** The maximum depth of nested objects and lists. */
  readonly maxDepth: number
  /** The maximum length of a string, in characters as they are written. */
  readonly maxLength: number
  /** Counts bytes as they arrive, after decompression. @throws {HttpError} if the total exceeds a limit. */
  readonly count: (bytes: number) => Promise<void>
}

/** A parsed body, and its text if it is short. Both are undefined for a body that is too large. */
interface RawBody {
  readonly body: unknown
  readonly text: string | undefined
}

/**
 * Reads a JSON body for a handler that validates it itself. Returns no body if it is too large, since SDKs would retry
 * it forever; clients that send an idempotency key split it instead and get 413.
 * @throws {HttpError} 400 if it is not JSON, 413, 415, and what `count` throws.
 */
export async function readRawBody(
  request: IncomingMessage,
  { maxBytes, maxValues, maxMembers, maxDepth, maxLength, count }: RawBodyOptions
): Promise<RawBody> {
  try {
    const text = await readText(request, maxBytes, count)
    if (text.length > LARGE_LENGTH) await takeTurn()
    const body = await parseInSlices(text, ({ values, containers, members, depth, longest }) => {
      if (depth > maxDepth) throw tooLarge(`${maxDepth} levels`)
      if (values + containers > maxValues) throw tooLarge(`${maxValues} values`)
      if (members > maxMembers) throw tooLarge(`${maxMembers} members of an object`)
      if (longest > maxLength) throw tooLarge(`${maxLength} characters of a string`)
    })
    return { body, text: text.length > MAX_KEPT_LENGTH ? undefined : text }
  } catch (error) {
    if (error instanceof SyntaxError) throw malformed(`${NOT_JSON}: ${reasonOf(error)}`)
    const wouldBeRetried = error instanceof HttpError && error.status === 413 && !request.headers['idempotency-key']
    if (wouldBeRetried) return { body: undefined, text: undefined }
    throw error
  }
}

/**
 * Parses a small body for a handler that validates it itself, as `readRawBody` does. Returns undefined if it is not
 * JSON, or exceeds a limit.
 */
export function parseSmallRawBody(bytes: Buffer, limits: Omit<RawBodyOptions, 'count'>): RawBody | undefined {
  if (!isUtf8(bytes)) return undefined
  const text = decodeUtf8(bytes)
  const { depth, values, containers, members } = measureJson(text, limits.maxDepth)
  if (depth > limits.maxDepth || values + containers > limits.maxValues || members > limits.maxMembers) return undefined
  if (bytes.length > Math.min(limits.maxBytes, limits.maxLength)) return undefined
  try {
    return { body: JSON.parse(text), text }
  } catch {
    return undefined
  }
}

async function readText(request: IncomingMessage, maxBytes: number, count?: RawBodyOptions['count']): Promise<string> {
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
  const text = begun ? decodeAll(begun) : await collect(request, maxBytes, count)
  assertNotEmpty(text)
  return text
}

function assertNotEmpty(text: string): void {
  if (text.trim() === '') throw malformed('the body is empty; it should be JSON')
}

function tooLarge(limit: string): HttpError {
  return new HttpError(413, `the body is larger than ${limit}`)
}

function malformed(message: string): HttpError {
  return new BodyError('malformed', [message])
}

/** Collects a body. Chunks are decoded as they arrive: decoding 8 MiB at once would take up to 0.1 s. */
async function collect(request: IncomingMessage, maxBytes: number, count?: RawBodyOptions['count']): Promise<string> {
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

/** Decodes a small body, faster than a `TextDecoder` and with the same result. */
function decodeAll(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformed(NOT_UTF8)
  return decodeUtf8(bytes)
}

function decodeUtf8(bytes: Buffer): string {
  const text = bytes.toString()
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

const NOT_UTF8 = 'the body is not valid UTF-8'

const BYTE_ORDER_MARK = '\ufeff'

const NOT_JSON = 'the body is not JSON'

function parse(text: string): unknown {
  if (!isWithinLimits(text)) assertWithinLimits(measureJson(text, MAX_JSON_DEPTH))
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw notJson(text, cause)
  }
}

/**
 * Whether a text is within the limits regardless of its structure: it is too short for more members and values, and has
 * too few brackets for more levels. Takes a tenth of the time of `measureJson`, which can be as slow as `JSON.parse`.
 */
function isWithinLimits(text: string): boolean {
  if (text.length > MAX_MEMBERS) return false
  let brackets = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++brackets > MAX_JSON_DEPTH) return false
    }
  }
  return true
}

/**
 * Parses a text in turns: if all members have different names, `JSON.parse` takes several times as long as otherwise.
 */
async function parseLarge(text: string): Promise<unknown> {
  try {
    return await parseInSlices(text, assertWithinLimits)
  } catch (cause) {
    throw cause instanceof SyntaxError ? notJson(text, cause) : cause
  }
}

function assertWithinLimits({ depth, values, members }: Record<'depth' | 'values' | 'members', number>): void {
  if (depth > MAX_JSON_DEPTH) throw malformed(`the body nests deeper than ${MAX_JSON_DEPTH} levels`)
  if (values > MAX_VALUES) throw malformed(`the body has more than ${MAX_VALUES} values`)
  if (members > MAX_MEMBERS) throw malformed(`an object of the body has more than ${MAX_MEMBERS} members`)
}

function notJson(text: string, cause: unknown): HttpError {
  // The message of the parser contains a part of the text, which may be a password.
  const reason = /password/i.test(text)
    ? reasonOf(cause).replace(/["'].*/s, '(the body is not shown)')
    : reasonOf(cause)
  return malformed(`${NOT_JSON}: ${reason}`)
}

async function assertMembersUnique(text: string): Promise<void> {
  const search = searchRepeatedMember(text)
  const slices = createTimeSlices()
  let step = search.next()
  while (!step.done) {
    await slices.yieldIfDue()
    step = search.next()
  }
  if (step.value !== undefined) throw malformed(`${formatValue(step.value)} should be given once, got it several times`)
}

function assertStorable(text: string, body: unknown): void {
  // Every value that cannot be stored contains one of these, and most bodies contain none.
  if (!/__proto__|constructor|prototype|\\u|\d[eE]|\d{300}/.test(text)) return
  const issue = validateStorableJson(body, 'the body')
  if (issue !== undefined) throw malformed(issue)
}
