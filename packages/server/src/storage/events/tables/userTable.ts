import { hash } from 'node:crypto'
import { isRecord } from '@burgee/kit'
import { yieldToEventLoop } from '../../../lib/time.ts'

/**
 * What a computation over the events of an experiment knows of each user at the end of a day. It outlives the events,
 * which have a shorter retention (ADR 69).
 */
export interface UserTable {
  /** What the table contains, as JSON. */
  readonly head: unknown
  /** The digests of the users, in the order of their rows. */
  readonly users: readonly string[]
  /** The bytes of the columns. */
  readonly columns: readonly Uint8Array[]
}

/** Returns the digest by which tables know a user. Users of different environments are different. */
export function digestUser(environment: string, user_id: string): string {
  return hash('sha256', `${environment}\0${user_id}`, 'base64url').slice(0, DIGEST_LENGTH)
}

/** 132 bits: collisions do not happen in practice. */
const DIGEST_LENGTH = 22

/**
 * Formats a table: a line of JSON, the digests, the columns, and a checksum of all of it. Yields to the event loop in
 * between.
 * @throws {RangeError} if the table is too large to be read at once.
 */
export async function formatUserTable({ head, users, columns }: UserTable): Promise<Buffer> {
  const sizes = columns.map(({ byteLength }) => byteLength)
  const size = sizes.reduce((sum, bytes) => sum + bytes, users.length * DIGEST_LENGTH)
  if (size > MAX_BYTES) throw new RangeError(`the table of users has ${size} bytes; the maximum is ${MAX_BYTES}`)
  const first = Buffer.from(`${JSON.stringify({ version: VERSION, users: users.length, sizes, head })}\n`)
  const digests = Buffer.allocUnsafe(users.length * DIGEST_LENGTH)
  for (const [index, user] of users.entries()) {
    if (index % USERS_PER_SLICE === USERS_PER_SLICE - 1) await yieldToEventLoop()
    digests.write(user, index * DIGEST_LENGTH, 'latin1')
  }
  return seal(Buffer.concat([first, digests, ...columns]))
}

/**
 * Parses a table, and yields to the event loop in between; returns `undefined` if it is damaged, or if another version
 * wrote it.
 */
export async function parseUserTable(file: Buffer): Promise<UserTable | undefined> {
  const layout = layoutOf(file)
  if (!layout) return undefined
  const { head, start, end, sizes } = layout
  const users: string[] = []
  for (let at = start; at < end; at += DIGEST_LENGTH) {
    users.push(file.toString('latin1', at, at + DIGEST_LENGTH))
    if (users.length % USERS_PER_SLICE === 0) await yieldToEventLoop()
  }
  let offset = end
  const columns = sizes.map((size) => {
    // A copy, because columns of numbers must be aligned.
    const column = Uint8Array.from(file.subarray(offset, offset + size))
    offset += size
    return column
  })
  return { head, users, columns }
}

/** Replaces digests of users; returns `undefined` if the table has none of them. */
export function replaceInUserTable(file: Buffer, replacements: ReadonlyMap<string, string>): Buffer | undefined {
  const layout = layoutOf(file)
  if (!layout) return undefined
  const content = Buffer.from(file.subarray(0, -CHECKSUM_BYTES))
  let found = false
  for (let at = layout.start; at < layout.end; at += DIGEST_LENGTH) {
    const replacement = replacements.get(content.toString('latin1', at, at + DIGEST_LENGTH))
    if (replacement === undefined) continue
    content.write(replacement, at, 'latin1')
    found = true
  }
  return found ? seal(content) : undefined
}

/** The version of the format, and of what the columns and the head contain. Others are computed again from events. */
const VERSION = 1

/** A few milliseconds of work. */
export const USERS_PER_SLICE = 16_384

/** Buffers have at most two gibibytes. */
const MAX_BYTES = 2 ** 30

const CHECKSUM_BYTES = 32

interface Layout {
  readonly head: unknown
  /** The range of the digests. */
  readonly start: number
  readonly end: number
  readonly sizes: readonly number[]
}

function layoutOf(file: Buffer): Layout | undefined {
  const content = file.subarray(0, -CHECKSUM_BYTES)
  if (file.length < CHECKSUM_BYTES || !checksumOf(content).equals(file.subarray(-CHECKSUM_BYTES))) return undefined
  const lineFeed = content.indexOf('\n')
  // The checksum proves that `formatUserTable` wrote it.
  const first: unknown = JSON.parse(content.toString('utf8', 0, Math.max(0, lineFeed)))
  if (!isRecord(first) || first.version !== VERSION) return undefined
  const { users, sizes, head } = first as { users: number; sizes: readonly number[]; head: unknown }
  const start = lineFeed + 1
  return { head, start, end: start + users * DIGEST_LENGTH, sizes }
}

function seal(content: Buffer): Buffer {
  return Buffer.concat([content, checksumOf(content)])
}

function checksumOf(content: Buffer): Buffer {
  return hash('sha256', content, 'buffer')
}
