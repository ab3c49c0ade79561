import { dirname, join } from 'node:path'
import { syncDirectory, writeFileAtomic } from '@burgee/kit/files'
import { reasonOf } from '../../lib/reasonOf.ts'
import { type AppendLog, openAppendLog } from '../disk/appendLog.ts'
import { findTruncation, LengthRecord, readLength } from '../disk/lengthRecord.ts'
import type { ItemCodec } from '../encryption/itemCodec.ts'
import type { OnNotice } from '../onNotice.ts'
import { userDataCollections } from '../resources/collections.ts'
import type { StoreWrite } from '../store.ts'
import { RESTORE_BACKUP, storeOpenError } from '../storeOpenError.ts'
import type { MemoryItems, StoreState } from '../tables/storeState.ts'
import { formatJournalLine, withChecksum } from './document/journalLine.ts'
import { replayJournal } from './replayJournal.ts'
import { JOURNAL_LENGTH_FILE } from './storeDirectory.ts'

/**
 * The file of the user data (ADR 2): a line with a checksum for each transaction. It is compacted when most of its records are replaced
 * or removed.
 */
export class Journal {
  readonly #path: string
  readonly #onNotice: OnNotice
  readonly #onWriteFailure: OnNotice
  readonly #assertOwned: (() => Promise<void>) | undefined
  #log: AppendLog | undefined
  #codec: ItemCodec | undefined
  /** The number of records in the file, outdated ones included. */
  #records = 0
  /** The number of records beyond which the file is compacted. */
  #limit = 0
  /** The length of the file in bytes. */
  #length = 0
  readonly #lengthPath: string
  readonly #lengthRecord: LengthRecord

  /**
   * @param assertOwned Rejects if another process owns the directory by now.
   * @param onWriteFailure Receives failures after which the file is still complete.
   */
  constructor(path: string, onNotice: OnNotice, assertOwned?: () => Promise<void>, onWriteFailure = onNotice) {
    this.#path = path
    this.#onNotice = onNotice
    this.#onWriteFailure = onWriteFailure
    this.#assertOwned = assertOwned
    this.#lengthPath = join(dirname(path), JOURNAL_LENGTH_FILE)
    this.#lengthRecord = new LengthRecord(this.#lengthPath, onWriteFailure, assertOwned)
  }

  /**
   * Opens the file and reads its items. `hasOutdatedSecrets`: secrets are encoded differently from
   * `codec`, so the file must be rewritten.
   * @throws {StoreOpenError} when a line is damaged, or the file is shorter than it was.
   */
  async open(codec: ItemCodec): Promise<{ readonly items: MemoryItems; readonly hasOutdatedSecrets: boolean }> {
    this.#codec = codec
    // First: opening the log cuts an incomplete last line, which in a shortened file is part of an acknowledged one.
    await this.#assertComplete()
    this.#log = await openAppendLog(this.#path, { assertOwned: this.#assertOwned })
    const { tornBytes } = this.#log
    if (tornBytes > 0) this.#onNotice(`${this.#path}: cut off ${tornBytes} bytes of an incomplete last line`)
    const { items, records, bytes, hasOutdatedSecrets } = await replayJournal(this.#path, userDataCollections, REMEDY, {
      codec
    })
    this.#records = records
    this.#length = bytes
    return { items, hasOutdatedSecrets }
  }

  /** Makes transactions durable together. `state` is the content of the file before them. */
  async append(transactions: readonly (readonly StoreWrite[])[], state: StoreState): Promise<void> {
    if (this.#records > this.#limit) await this.compact(state)
    // After a failed compaction, the path may lead to another file.
    this.#log ??= await openAppendLog(this.#path, { assertOwned: this.#assertOwned })
    const lines = transactions.map((writes) => withChecksum(formatJournalLine(writes, this.#codec)))
    await this.#log.append(...lines)
    for (const writes of transactions) this.#records += writes.length
    for (const line of lines) this.#length += Buffer.byteLength(line) + 1
    await this.#lengthRecord.write(this.#length)
  }

  /** Rewrites the file with a line for each item of `state`, unless it has no outdated records. */
  async compact(state: StoreState): Promise<void> {
    try {
      await this.purge(state)
    } catch (error) {
      this.#onWriteFailure(`${this.#path} could not be compacted, and continues to grow: ${reasonOf(error)}`)
    }
    this.#limit = 2 * this.#records + COMPACTION_SLACK
  }

  /** Like `compact`, but reports a failure. @throws when the file cannot be rewritten. */
  async purge(state: StoreState): Promise<void> {
    const live = userDataCollections.reduce((sum, name) => sum + state[name].items.size, 0)
    if (this.#records > live) await this.rewrite(state)
  }

  /** Rewrites the file with a line for each item of `state`. @throws when the file cannot be rewritten. */
  async rewrite(state: StoreState): Promise<void> {
    await this.close()
    // The new file can be shorter. If it cannot be written, the recorded length remains.
    const beforeRename = async () => {
      await this.#lengthRecord.remove()
      await syncDirectory(dirname(this.#path))
      await this.#assertOwned?.()
    }
    let length = 0
    const text = measured(formatState(state, this.#codec), (bytes) => (length += bytes))
    await writeFileAtomic(this.#path, text, { beforeRename })
    this.#length = length
    this.#records = userDataCollections.reduce((sum, name) => sum + state[name].items.size, 0)
  }

  /** Resolves if a transaction of ordinary size can be appended. */
  async probe(): Promise<void> {
    this.#log ??= await openAppendLog(this.#path, { assertOwned: this.#assertOwned })
    await this.#log.probe()
  }

  /** Records the length, so that the next start notices a shorter file. Only the owner of the directory may do so. */
  async checkpoint(): Promise<void> {
    if (this.#codec) await this.#lengthRecord.write(this.#length, 0)
  }

  async close(): Promise<void> {
    await this.#lengthRecord.stop()
    await this.#log?.close()
    this.#log = undefined
  }

  async #assertComplete(): Promise<void> {
    const { bytes, problem } = await readLength(this.#lengthPath)
    if (problem !== undefined) {
      const consequence = `so this start cannot tell whether ${this.#path} became shorter: compare it with a backup`
      this.#onNotice(`${this.#lengthPath} ${problem}, ${consequence}`, 'error')
    }
    const truncation = await findTruncation(this.#path, bytes)
    if (truncation === undefined) return
    throw storeOpenError(
      this.#path,
      truncation,
      `${RESTORE_BACKUP}, or delete ${this.#lengthPath} to continue without the rest of the user data`
    )
  }
}

function* measured(texts: Iterable<string>, onText: (bytes: number) => void): Generator<string, void> {
  for (const text of texts) {
    onText(Buffer.byteLength(text))
    yield text
  }
}

const REMEDY = `${RESTORE_BACKUP}, or delete the line and ${JOURNAL_LENGTH_FILE}, and lose its change`

/** Prevents frequent compaction of a small file. */
const COMPACTION_SLACK = 10_000

/** Formats the lines of a compacted file in large chunks: a write per line would take minutes for a million lines. */
function* formatState(state: StoreState, codec: ItemCodec | undefined): Generator<string, void> {
  let text = ''
  for (const collection of userDataCollections) {
    for (const item of state[collection].items.values()) {
      // `item` is of `collection`; the compiler does not follow this in a union.
      text += `${withChecksum(formatJournalLine([{ collection, after: item } as StoreWrite], codec))}\n`
      if (text.length < 65_536) continue
      yield text
      text = ''
    }
  }
  yield text
}
