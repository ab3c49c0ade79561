import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hasCode } from '@burgee/kit/files'
import { reasonOf } from '../../lib/reasonOf.ts'

/**
 * Records the length of an append-only file in another file, so that the next start detects truncation. After a crash,
 * the recorded length can be old, and after a power failure missing; so a longer file counts as complete.
 */
export class LengthRecord {
  readonly #path: string
  readonly #onNotice: (message: string) => void
  /** The length that was recorded last. */
  #recorded: number | undefined
  /** When the length was last recorded, in milliseconds of a monotonic clock. */
  #recordedAt = Number.NEGATIVE_INFINITY

  constructor(path: string, onNotice: (message: string) => void) {
    this.#path = path
    this.#onNotice = onNotice
  }

  /**
   * Records a length, at most once in `minMs` milliseconds. Reports a failure, but does not throw. Only the owner of the
   * directory may do so.
   */
  async write(bytes: number, minMs = RECORD_MS): Promise<void> {
    const now = performance.now()
    if (bytes === this.#recorded || now - this.#recordedAt < minMs) return
    this.#recordedAt = now
    const temporary = `${this.#path}.${randomUUID()}.tmp`
    try {
      await writeFile(temporary, formatLength(bytes), { mode: 0o600 })
      await rename(temporary, this.#path)
      this.#recorded = bytes
    } catch (error) {
      // On a full disk, the next attempt must not leave another file.
      await rm(temporary, { force: true })
      this.#onNotice(`${this.#path} could not be written: ${reasonOf(error)}`)
    }
  }

  async remove(): Promise<void> {
    this.#recorded = undefined
    await rm(this.#path, { force: true })
  }
}

/** Reads a recorded length; 0 if there is none. */
export async function readLength(path: string): Promise<number> {
  try {
    const length = Number.parseInt(await readFile(path, 'utf8'), 10)
    return Number.isNaN(length) ? 0 : length
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0
    throw error
  }
}

/** Formats a length for its file. */
export function formatLength(bytes: number): string {
  return `${bytes}\n`
}

/** How often the length is recorded while the file grows. */
const RECORD_MS = 1_000
