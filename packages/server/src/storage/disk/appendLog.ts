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
  /** Runs before each append; what it throws rejects the append. */
  readonly prepare?: () => Promise<void>
  /** Rejects appends after another process has written to the file. If false, lines of other processes are kept. */
  readonly isExclusive?: boolean
}

/**
 * Opens an append-only file of lines, and creates it if it is missing.
 *
 * A line is durable when its `append` resolves; concurrent appends share an fsync. A failed append keeps none of its
 * lines, and later ones may succeed. Opening cuts off an incomplete last line, which a crash left and which was never
 * acknowledged. One process at a time may have a log open. An append of a process that lost the directory meanwhile
 * rejects with an `UncertainWriteError`: the new owner may have read its lines.
 */
export async function openAppendLog(
  path: string,
  { assertOwned, prepare, isExclusive = false }: AppendLogOptions = {}
): Promise<AppendLog> {
  await assertOwned?.()
  const file = await open(path, 'a+', 0o600)
  try {
    const status = await file.stat({ bigint: true })
    const size = Number(status.size)
    const id = toFileId(status)
    let length = await endOfLastLine(file, size)
    let isClean = length === size
    const cut = async () => {
      if (isClean) return
      await assertOwned?.()
      await file.truncate(length)
      await file.sync()
      isClean = true
    }
    const inspect = async () => {
      const found = await findFile(path)
      const isSame = found?.id === id
      // An exclusive file can grow too: by a process that lost the lock while it was paused in a write.
      return { isSame, isLonger: isSame && found.size > length }
    }
    await cut()
    await syncDirectory(dirname(path))
    const commits = new GroupCommit<() => string>(async (batch) => {
      await cut()
      const checking = Promise.all([inspect(), assertOwned?.(), prepare?.()])
      // Awaited below. If formatting throws first, a rejection must not end the process.
      checking.catch(() => {})
      // Other threads check the file system meanwhile.
      const text = batch.map((format) => format()).join('')
      const [{ isSame, isLonger }] = await checking
      // Lines in a removed file would be acknowledged and lost.
      if (!isSame) throw new Error(`${path} was removed or replaced while it was open`)
      if (isLonger) {
        if (isExclusive) throw new Error(`${path} was written to by another process while it was open`)
        const { size } = await file.stat()
        length = await endOfLastLine(file, size)
        isClean = length === size
        await cut()
      }
      const bytes = Buffer.from(text || PROBE)
      isClean = false
      try {
        await file.appendFile(bytes)
        await file.sync()
      } catch (error) {
        // If this fails as well, the next append cuts the file.
        await cut().catch(() => {})
        throw error
      }
      if (text === '') return cut()
      try {
        // A process that was suspended in the write may have appended to a file that the new owner has removed.
        await assertOwned?.()
      } catch (cause) {
        throw new UncertainWriteError(`${path} may have been written to: ${reasonOf(cause)}`, { cause })
      }
      length += bytes.length
      isClean = true
    })
    return {
      tornBytes: size - length,
      append: async (...lines) => {
        const broken = lines.find((line) => line.includes('\n'))
        if (broken !== undefined) throw new Error(`a line of ${path} cannot contain a line break: ${broken}`)
        const text = lines.map((line) => `${line}\n`).join('')
        await commits.add(() => text)
      },
      appendFormatted: (format) => commits.add(() => `${format()}\n`),
      // A batch without lines writes the text of a probe.
      probe: () => commits.add(() => ''),
      isInPlace: async () => {
        const { isSame, isLonger } = await inspect()
        return isSame && !(isExclusive && isClean && isLonger)
      },
      close: async () => {
        await commits.idle()
        await file.close()
      }
    }
  } catch (error) {
    await file.close()
    throw error
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
