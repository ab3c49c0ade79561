import { type AppendLog, openAppendLog } from '../../disk/appendLog.ts'
import { findFileSize } from '../../disk/findFileSize.ts'
import type { DayState } from '../engine/daySummary.ts'
import type { EventEntry } from '../eventEntry.ts'
import { dayFilePath, summaryFilePath } from './dayFileNames.ts'
import { addEntry, readDayState } from './dayState.ts'
import { formatEntryLine } from './entryLine.ts'
import { writeSummary } from './summaryFile.ts'

/** A day whose file entries are appended to. */
export class DayWriter {
  readonly state: DayState
  readonly #log: AppendLog
  readonly #path: string
  readonly #summaryFile: string
  /** How much of the file the summary on the disk covers. */
  #kept: number

  private constructor(
    state: DayState,
    log: AppendLog,
    { path, summary, kept }: { readonly path: string; readonly summary: string; readonly kept: number }
  ) {
    this.state = state
    this.#log = log
    this.#path = path
    this.#summaryFile = summary
    this.#kept = kept
  }

  static async open(folder: string, day: string, onNotice: (message: string) => void): Promise<DayWriter> {
    const path = dayFilePath(folder, day)
    const summary = summaryFilePath(folder, day)
    if ((await findFileSize(path)) === undefined) {
      const { state, isKept } = await readDayState(folder, day, onNotice)
      // Its summary is of a file that is gone: it must not be taken for one of the file that is made now.
      if (isKept) await writeSummary(summary, state)
    }
    const log = await openAppendLog(path)
    if (log.tornBytes > 0) onNotice(`${path}: cut away ${log.tornBytes} bytes of a last line that was never finished`)
    try {
      const { state, isKept } = await readDayState(folder, day, onNotice)
      return new DayWriter(state, log, { path, summary, kept: isKept ? state.covered : -1 })
    } catch (error) {
      await log.close()
      throw error
    }
  }

  /** How much of the file the summary on the disk does not cover. */
  get uncheckpointedBytes(): number {
    return this.state.covered - this.#kept
  }

  /** Resolves when the entry is durable and counted. */
  async append(entry: EventEntry): Promise<void> {
    const line = formatEntryLine(entry)
    await this.#log.append(line)
    // Those that share a commit get here in the order of their lines.
    addEntry(this.state, entry, Buffer.byteLength(line) + 1)
  }

  /** Keeps what the entries come to, so that the next start need not count them again. */
  async checkpoint(): Promise<void> {
    const { covered } = this.state
    if (covered === this.#kept) return
    await writeSummary(this.#summaryFile, this.state)
    this.#kept = covered
  }

  /** Whether the file was removed or replaced, so that nothing is appended any more. */
  async isFileGone(): Promise<boolean> {
    return !(await this.#log.isInPlace())
  }

  /** Lets go of a file that is gone. What was counted of it stays, unless there is another file in its place. */
  async abandon(): Promise<void> {
    try {
      if ((await findFileSize(this.#path)) === undefined) await this.checkpoint()
    } finally {
      await this.#log.close()
    }
  }

  /** Waits for what was appended, and lets go of the file. */
  async close(): Promise<void> {
    try {
      await this.checkpoint()
    } finally {
      await this.#log.close()
    }
  }
}
