import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from '@burgee/kit/files'
import { GroupCommit } from './groupCommit.ts'
import { isSameFile } from './isSameFile.ts'

/**
 * Opens a file of lines that only grows, and creates it if it is missing.
 *
 * A line is durable when its `append` resolves; appends that arrive together share an fsync. When one fails, none of
 * its lines is kept and later ones may succeed. A last line that a crash left without its end is cut away here: it was
 * never acknowledged. One process at a time may hold a log open.
 */
export async function openAppendLog(path: string): Promise<AppendLog> {
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    let length = await endOfLastLine(file, size)
    let isClean = length === size
    const cut = async () => {
      if (isClean) return
      await file.truncate(length)
      await file.sync()
      isClean = true
    }
    await cut()
    await syncDirectory(dirname(path))
    const commits = new GroupCommit<string>(async (batch) => {
      // What is written to a file that was taken away would be acknowledged and never seen again.
      if (!(await isSameFile(path, file))) throw new Error(`${path} was removed or replaced while it was open`)
      await cut()
      const bytes = Buffer.from(batch.join(''))
      isClean = false
      try {
        await file.appendFile(bytes)
        await file.sync()
      } catch (error) {
        // What cannot be cut away now is cut away before the next append, and this one is refused either way.
        await cut().catch(() => {})
        throw error
      }
      length += bytes.length
      isClean = true
    })
    return {
      tornBytes: size - length,
      append: async (...lines) => {
        const broken = lines.find((line) => line.includes('\n'))
        if (broken !== undefined) throw new Error(`a line of ${path} cannot contain a line break: ${broken}`)
        await commits.add(lines.map((line) => `${line}\n`).join(''))
      },
      isInPlace: () => isSameFile(path, file),
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

/** A file of lines that only grows. */
export interface AppendLog {
  /** How much was cut away at the end of the file when it was opened. */
  readonly tornBytes: number
  /** Resolves when the lines are durable; of several, all are kept or none. */
  append(...lines: readonly string[]): Promise<void>
  /** Whether the path still leads to this file: it may have been removed or replaced, and then nothing is appended. */
  isInPlace(): Promise<boolean>
  /** Waits for what was appended, then lets go of the file. */
  close(): Promise<void>
}

const CHUNK = 65_536
const LINE_FEED = 0x0a

async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  const chunk = Buffer.alloc(CHUNK)
  for (let end = size; end > 0; end -= CHUNK) {
    const start = Math.max(0, end - CHUNK)
    const { bytesRead } = await file.read(chunk, 0, end - start, start)
    const at = chunk.subarray(0, bytesRead).lastIndexOf(LINE_FEED)
    if (at >= 0) return start + at + 1
  }
  return 0
}
