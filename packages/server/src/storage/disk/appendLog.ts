import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findFile, syncDirectory, toFileId } from '@burgee/kit/files'
import { reasonOf } from '../../lib/reasonOf.ts'
import { UncertainWriteError } from '../store.ts'
import { GroupCommit } from './groupCommit.ts'

/** Options of `openAppendLog`. */
interface AppendLogOptions {
  /** Rejects if another process owns the directory by now. Runs before each write to the file, and after its sync. */
  readonly assertOwned?: (() => Promise<void>) | undefined
  /** What an append checks besides the owner and the file; what it throws rejects the append. */
  readonly prepare?: () => Promise<void>
  /** Rejects appends after another process has written to the file. If false, lines of other processes are kept. */
  readonly isExclusive?: boolean
  /**
   * Moves the checks of an append behind its sync, which saves a call. Only for a file that the next owner of the
   * directory removes before it writes anything itself: a line that a former owner appends then has no effect. Rejects
   * if this process may have been suspended since the owner was last checked.
   */
  readonly assertNotSuspended?: () => Promise<void>
}

/**
 * Opens an append-only file of lines, and creates it if it is missing.
 *
 * A line is durable when its `append` resolves; concurrent appends share an fsync. A failed append keeps none of its
 * lines, and later ones may succeed. Opening cuts off an incomplete last line, which a crash left and which was never
 * acknowledged. One process at a time may have a log open. An append of a process that lost the directory meanwhile
 * rejects with an `UncertainWriteError`: the new owner may have read its lines.
 */
export async function openAppendLog(path: string, options: AppendLogOptions = {}): Promise<AppendLog> {
  await options.assertOwned?.()
  const file = await open(path, 'a+', 0o600)
  try {
    const status = await file.stat({ bigint: true })
    const size = Number(status.size)
    const log = new LogFile({ path, file, id: toFileId(status) }, await endOfLastLine(file, size), size, options)
    await log.cut()
    await syncDirectory(dirname(path))
    // Appends are not preceded by a check, so the file must be one of this owner.
    if (options.assertNotSuspended) await options.assertOwned?.()
    return log
  } catch (error) {
    await file.close()
    throw error
  }
}

interface OpenedFile {
  readonly path: string
  readonly file: FileHandle
  /** An open file keeps it. */
  readonly id: string
}

class LogFile implements AppendLog {
  readonly tornBytes: number
  readonly #opened: OpenedFile
  readonly #options: AppendLogOptions
  readonly #commits = new GroupCommit<() => string>((batch) => this.#commit(batch))
  /** The length of the lines. */
  #length: number
  /** Whether the file ends with them. */
  #isClean: boolean

  constructor(opened: OpenedFile, length: number, size: number, options: AppendLogOptions) {
    this.#opened = opened
    this.#options = options
    this.#length = length
    this.#isClean = length === size
    this.tornBytes = size - length
  }

  async append(...lines: readonly string[]): Promise<void> {
    const { path } = this.#opened
    const broken = lines.find((line) => line.includes('\n'))
    if (broken !== undefined) throw new Error(`a line of ${path} cannot contain a line break: ${broken}`)
    const text = lines.map((line) => `${line}\n`).join('')
    await this.#commits.add(() => text)
  }

  appendFormatted(format: () => string): Promise<void> {
    return this.#commits.add(() => `${format()}\n`)
  }

  probe(): Promise<void> {
    // A batch without lines writes the text of a probe.
    return this.#commits.add(() => '')
  }

  async isInPlace(): Promise<boolean> {
    const { isSame, isLonger } = await this.#inspect(this.#length)
    return isSame && !(this.#options.isExclusive && this.#isClean && isLonger)
  }

  async close(): Promise<void> {
    await this.#commits.idle()
    await this.#opened.file.close()
  }

  async cut(): Promise<void> {
    if (this.#isClean) return
    const { file } = this.#opened
    await this.#options.assertOwned?.()
    await file.truncate(this.#length)
    await file.sync()
    this.#isClean = true
  }

  async #commit(batch: readonly (() => string)[]): Promise<void> {
    await this.cut()
    const { assertNotSuspended } = this.#options
    const checking = assertNotSuspended ? assertNotSuspended() : this.#checkBefore()
    // Awaited below. If formatting throws first, a rejection must not end the process.
    checking.catch(() => {})
    // Other threads check the file system meanwhile.
    const text = batch.map((format) => format()).join('')
    await checking
    const bytes = Buffer.from(text || PROBE)
    await this.#write(bytes)
    if (assertNotSuspended) await this.#checkAfter(bytes.length)
    if (text === '') return this.cut()
    if (!assertNotSuspended) await this.#assertStillOwned()
    this.#length += bytes.length
    this.#isClean = true
  }

  async #write(bytes: Buffer): Promise<void> {
    const { file } = this.#opened
    this.#isClean = false
    try {
      await file.appendFile(bytes)
      await file.sync()
    } catch (error) {
      // If this fails as well, the next append cuts the file.
      await this.cut().catch(() => {})
      throw error
    }
  }

  async #checkBefore(): Promise<void> {
    const { assertOwned, prepare, isExclusive = false } = this.#options
    const { path, file } = this.#opened
    const [{ isSame, isLonger }] = await Promise.all([this.#inspect(this.#length), assertOwned?.(), prepare?.()])
    // Lines in a removed file would be acknowledged and lost.
    if (!isSame) throw new Error(`${path} was removed or replaced while it was open`)
    if (!isLonger) return
    if (isExclusive) throw new Error(`${path} was written to by another process while it was open`)
    const { size } = await file.stat()
    this.#length = await endOfLastLine(file, size)
    this.#isClean = this.#length === size
    await this.cut()
  }

  /** Checks a write of some bytes, and cuts them off if they must not be kept. */
  async #checkAfter(bytes: number): Promise<void> {
    const { path } = this.#opened
    const checking = Promise.all([this.#inspect(this.#length + bytes), this.#options.prepare?.()])
    // Awaited below: an owner that lost the directory reports that, and cuts nothing.
    checking.catch(() => {})
    await this.#assertStillOwned()
    try {
      const [{ isSame, isLonger }] = await checking
      if (!isSame) throw new Error(`${path} was removed or replaced while it was open`)
      if (isLonger) throw new Error(`${path} was written to by another process while it was open`)
    } catch (error) {
      await this.cut().catch((cause) => {
        throw this.#toUncertain(cause)
      })
      throw error
    }
  }

  /** A process that was suspended in a write may have appended to a file that the new owner has removed. */
  async #assertStillOwned(): Promise<void> {
    try {
      await this.#options.assertOwned?.()
    } catch (cause) {
      throw this.#toUncertain(cause)
    }
  }

  #toUncertain(cause: unknown): UncertainWriteError {
    return new UncertainWriteError(`${this.#opened.path} may have been written to: ${reasonOf(cause)}`, { cause })
  }

  async #inspect(length: number): Promise<{ readonly isSame: boolean; readonly isLonger: boolean }> {
    const found = await findFile(this.#opened.path)
    const isSame = found?.id === this.#opened.id
    // An exclusive file can grow too: by a process that lost the lock while it was paused in a write.
    return { isSame, isLonger: isSame && found.size > length }
  }
}

/** An append-only file of lines. */
export interface AppendLog {
  /** The number of bytes that opening the file cut off at its end. */
  readonly tornBytes: number
  /** Resolves when the lines are durable. Either all of them are kept or none. */
  append(...lines: readonly string[]): Promise<void>
  /**
   * Like `append`, for a line that is formatted while the file is checked. If `format` throws, concurrent appends fail
   * too. The line cannot contain a line break.
   */
  appendFormatted(format: () => string): Promise<void>
  /** Resolves when `PROBE_BYTES` were written and cut off again, which shows that lines can be appended. */
  probe(): Promise<void>
  /** Whether lines can still be appended: not after the file was removed, replaced, or, if exclusive, written to. */
  isInPlace(): Promise<boolean>
  /** Cuts off what a failed append left. Not during an append, which does so itself. @throws if it is not possible. */
  cut(): Promise<void>
  /** Waits for the appends in progress, then closes the file. */
  close(): Promise<void>
}

/** The bytes that a write needs to show that changes of ordinary size can be stored: small ones still fit on a full disk. */
export const PROBE_BYTES = 65_536

/** Without a line feed, a crash leaves an incomplete line, which opening cuts off. */
const PROBE = ' '.repeat(PROBE_BYTES)

const CHUNK = 65_536
const LINE_FEED = 0x0a

/** Returns the position after the last line feed in the first `size` bytes of a file. */
export async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  const chunk = Buffer.alloc(CHUNK)
  for (let end = size; end > 0; end -= CHUNK) {
    const start = Math.max(0, end - CHUNK)
    const { bytesRead } = await file.read(chunk, 0, end - start, start)
    const at = chunk.subarray(0, bytesRead).lastIndexOf(LINE_FEED)
    if (at >= 0) return start + at + 1
  }
  return 0
}
