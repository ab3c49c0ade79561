import { type AppendLog, openAppendLog } from '../../disk/appendLog.ts'
import { findFileSize } from '../../disk/fileStat.ts'
import { LengthRecord } from '../../disk/lengthRecord.ts'
import type { DayState } from '../engine/daySummary.ts'
import type { EventStoreOptions } from '../engine/eventStorage.ts'
import type { EventEntry } from '../eventEntry.ts'
import { dayFilePath, lengthFilePath, summaryFilePath } from './dayFileNames.ts'
import { addEntry, readDayState } from './dayState.ts'
import { formatEntryLine } from './entryLine.ts'
import { writeSummary } from './summaryFile.ts'

interface DayFiles {
  readonly log: AppendLog
  /** Path of the entries. */
  readonly path: string
  /** Path of the summary. */
  readonly summary: string
  /** Covers the entries that the summary lacks. */
  readonly length: LengthRecord
  readonly assertOwned: (() => Promise<void>) | undefined
}

/** Appends the entries of a day, and counts them. */
export class DayWriter {
  readonly state: DayState
  readonly #files: DayFiles
  /** The number of bytes of entries that the summary on disk covers; -1 if it is missing or outdated. */
  #checkpointed: number

  private constructor(state: DayState, files: DayFiles, checkpointed: number) {
    this.state = state
    this.#files = files
    this.#checkpointed = checkpointed
  }

  static async open(
    folder: string,
    day: string,
    options: Pick<EventStoreOptions, 'onNotice' | 'assertOwned'>
  ): Promise<DayWriter> {
    const { onNotice, assertOwned } = options
    const path = dayFilePath(folder, day)
    const summary = summaryFilePath(folder, day)
    if ((await findFileSize(path)) === undefined) {
      const { state, isComplete } = await readDayState(folder, day, options)
      // The summary belongs to a removed file and must not be applied to the file that is created next.
      if (isComplete) await writeSummary(summary, state, assertOwned)
    }
    const log = await openAppendLog(path, { assertOwned, isExclusive: true })
    if (log.tornBytes > 0) onNotice(`${path}: cut off ${log.tornBytes} bytes of an incomplete last line`)
    try {
      const { state, isComplete } = await readDayState(folder, day, options)
      const length = new LengthRecord(lengthFilePath(folder, day), onNotice, assertOwned)
      return new DayWriter(state, { log, path, summary, length, assertOwned }, isComplete ? state.covered : -1)
    } catch (error) {
      await log.close()
      throw error
    }
  }

  /** Resolves when the entry is durable and counted. */
  async append(entry: EventEntry): Promise<void> {
    const line = formatEntryLine(entry)
    await this.#files.log.append(line)
    // Entries that share a commit arrive here in the order of their lines.
    addEntry(this.state, entry, Buffer.byteLength(line) + 1)
    await this.#files.length.write(this.state.covered)
  }

  /** Resolves when something was written to the file and removed again. */
  probe(): Promise<void> {
    return this.#files.log.probe()
  }

  /**
   * Writes the summary if it lacks at least `minBytes` of entries, so that a later start need not count them again.
   * Otherwise, records the length of the entries.
   */
  async checkpoint(minBytes = 1): Promise<void> {
    const { covered } = this.state
    if (covered === this.#checkpointed) return
    if (covered - this.#checkpointed < minBytes) {
      if (covered > 0) await this.#files.length.write(covered, 0)
      return
    }
    await writeSummary(this.#files.summary, this.state, this.#files.assertOwned)
    this.#checkpointed = covered
  }

  /** Whether the file was removed, replaced, or written to by another process. Then appends fail. */
  async hasChanged(): Promise<boolean> {
    return !(await this.#files.log.isInPlace())
  }

  /**
   * Closes a file that has changed. Keeps the counts if it was removed; otherwise they are rebuilt from its content.
   */
  async abandon(): Promise<void> {
    try {
      await this.#files.length.stop()
      if ((await findFileSize(this.#files.path)) === undefined) await this.checkpoint()
    } finally {
      await this.#files.log.close()
    }
  }

  /** Waits for the appends in progress, writes the summary, and closes the file. */
  async close(): Promise<void> {
    try {
      await this.checkpoint()
      await this.#files.length.remove()
    } finally {
      await this.#files.log.close()
    }
  }
}
