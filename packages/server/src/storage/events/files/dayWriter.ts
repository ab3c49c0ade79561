import { type AppendLog, openAppendLog } from '../../disk/appendLog.ts'
import { findFileSize } from '../../disk/fileStat.ts'
import type { DayState } from '../engine/daySummary.ts'
import type { EventStoreOptions } from '../engine/eventStorage.ts'
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
  readonly #assertOwned: Assertion | undefined
  /** How much of the file the summary on the disk covers. */
  #kept: number

  private constructor(state: DayState, log: AppendLog, { path, summary, kept, assertOwned }: DayWriterFiles) {
    this.state = state
    this.#log = log
    this.#path = path
    this.#summaryFile = summary
    this.#kept = kept
    this.#assertOwned = assertOwned
  }

  static async open(
    folder: string,
    day: string,
    { onNotice, assertOwned }: Pick<EventStoreOptions, 'onNotice' | 'assertOwned'>
  ): Promise<DayWriter> {
    await assertOwned?.()
    const path = dayFilePath(folder, day)
    const summary = summaryFilePath(folder, day)
    if ((await findFileSize(path)) === undefined) {
      const { state, isKept } = await readDayState(folder, day, onNotice)
      // Its summary is of a file that is gone: it must not be taken for one of the file that is made now.
      if (isKept) await writeSummary(summary, state)
    }
    const log = await openAppendLog(path, { assertOwned, isExclusive: true })
    if (log.tornBytes > 0) onNotice(`${path}: cut away ${log.tornBytes} bytes of a last line that was never finished`)
    try {
      const { state, isKept } = await readDayState(folder, day, onNotice)
      return new DayWriter(state, log, { path, summary, kept: isKept ? state.covered : -1, assertOwned })
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
    await this.#assertOwned?.()
    await writeSummary(this.#summaryFile, this.state)
    this.#kept = covered
  }

  /** Whether nothing can be appended any more, since the file was removed, replaced, or written to by another process. */
  async hasChanged(): Promise<boolean> {
    return !(await this.#log.isInPlace())
  }

  /** Closes a file that has changed. Its counts are kept if it was removed; otherwise they are made from what is there. */
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

type Assertion = () => Promise<void>

interface DayWriterFiles {
  readonly path: string
  readonly summary: string
  /** How much of the file the summary on the disk covers. */
  readonly kept: number
  readonly assertOwned: Assertion | undefined
}
