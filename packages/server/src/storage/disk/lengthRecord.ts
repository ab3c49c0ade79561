import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hasCode } from '@burgee/kit/files'
import { reasonOf } from '../../lib/reasonOf.ts'
import { endOfLastLine } from './appendLog.ts'
import { openIfPresent } from './openIfPresent.ts'

/**
 * Records the length of an append-only file in another file, so that the next start detects truncation. After a crash,
 * the recorded length can be old, and after a power failure missing; so a longer file counts as complete.
 */
export class LengthRecord {
  readonly #path: string
  readonly #onNotice: (message: string) => void
  readonly #assertOwned: (() => Promise<void>) | undefined
  /** The length to record next. */
  #latest: number | undefined
  /** The length that was recorded last. */
  #recorded: number | undefined
  /** When the length was last recorded, in milliseconds of a monotonic clock. */
  #recordedAt = Number.NEGATIVE_INFINITY
  /** Runs while the latest length waits to be recorded. */
  #timer: NodeJS.Timeout | undefined
  #recording: Promise<void> = Promise.resolve()

  /** @param assertOwned Rejects if another process owns the directory by now. */
  constructor(path: string, onNotice: (message: string) => void, assertOwned?: () => Promise<void>) {
    this.#path = path
    this.#onNotice = onNotice
    this.#assertOwned = assertOwned
  }

  /**
   * Records a length: at once, or after `minMs` milliseconds since the last one, together with later ones. Reports a
   * failure, but does not throw.
   */
  async write(bytes: number, minMs = RECORD_MS): Promise<void> {
    this.#latest = bytes
    const wait = this.#recordedAt + minMs - performance.now()
    if (wait > 0) this.#timer ??= setTimeout(() => void this.#record(), wait).unref()
    else await this.#record()
  }

  /** Records nothing any more that is not recorded yet. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#latest = undefined
    await this.#recording
  }

  async remove(): Promise<void> {
    await this.stop()
    this.#recorded = undefined
    await this.#assertOwned?.()
    await rm(this.#path, { force: true })
  }

  #record(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#recordedAt = performance.now()
    this.#recording = this.#recording.then(() => this.#save())
    return this.#recording
  }

  async #save(): Promise<void> {
    const bytes = this.#latest
    if (bytes === undefined || bytes === this.#recorded) return
    const temporary = `${this.#path}.${randomUUID()}.tmp`
    try {
      await writeFile(temporary, formatLength(bytes), { mode: 0o600 })
      await this.#assertOwned?.()
      await rename(temporary, this.#path)
      this.#recorded = bytes
    } catch (error) {
      // On a full disk, the next attempt must not leave another file.
      await rm(temporary, { force: true })
      this.#onNotice(`${this.#path} could not be written: ${reasonOf(error)}`)
    }
  }
}

/** A recorded length. */
interface RecordedLength {
  /** 0 if no length is recorded. */
  readonly bytes: number
  /** What is wrong with the record, as a predicate of its file. */
  readonly problem?: string
}

/** Reads a recorded length. */
export async function readLength(path: string): Promise<RecordedLength> {
  const text = await readRecord(path)
  if (text === undefined) return { bytes: 0 }
  return /^\d+$/.test(text) ? { bytes: Number(text) } : { bytes: 0, problem: describeRecord(text, 'a number of bytes') }
}

/** Reads a file with one value; `undefined` if there is none. */
export async function readRecord(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Describes a record without the value that it should have, as a predicate of its file. */
export function describeRecord(text: string, expected: string): string {
  return `contains ${JSON.stringify(text.slice(0, MAX_SHOWN))} instead of ${expected}`
}

/** The number of characters of a record that a message shows. */
const MAX_SHOWN = 40

/** Describes how a file of lines is shorter than recorded, as a predicate of the file; `undefined` if it is not. */
export async function findTruncation(path: string, recorded: number): Promise<string | undefined> {
  const file = await openIfPresent(path)
  try {
    const size = file ? (await file.stat()).size : 0
    if (size < recorded) return `has only ${size} of ${recorded} bytes`
    const end = file ? await endOfLastLine(file, size) : 0
    return end < recorded ? `has complete lines only in its first ${end} of ${recorded} bytes` : undefined
  } finally {
    await file?.close()
  }
}

/** Formats a length for its file. */
export function formatLength(bytes: number): string {
  return `${bytes}\n`
}

/** How often the length is recorded while the file grows. */
const RECORD_MS = 1_000
