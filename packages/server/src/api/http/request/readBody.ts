import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { formatValue, measureJson, searchRepeatedMember } from '@burgee/kit/text'
import { HttpError } from '../../../lib/errors.ts'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { createTimeSlices, takeTurn } from '../../../lib/time.ts'
import { MAX_JSON_DEPTH, validateStorableJson } from '../../../storage/validateStorableJson.ts'
import { malformed, tooLarge } from './bodyError.ts'
import { decodeText, decodeUtf8, readText } from './bodyText.ts'
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
/** Longer bodies, in characters, are parsed in separate turns of the event loop, so that they do not delay evaluations. */
const LARGE_LENGTH = 64 * 1024
/**
 * Handlers get the text of bodies that are not validated up to this length in characters. Searching such a text takes
 * less than a millisecond.
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
  const text = decodeText(bytes)
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
