import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isSameFile, syncDirectory } from '@burgee/kit/files'
import type { UncountedTail } from '../auditLog.ts'
import { findFileSize } from '../disk/fileStat.ts'
import { historyCollections } from '../resources/collections.ts'
import type { StoredAuditEntry } from '../resources/history.ts'
import type { StoreOpenError, StoreWrite } from '../store.ts'
import { storeOpenError } from '../storeOpenError.ts'
import { isHistory, type StoreItems } from '../tables/storeState.ts'
import { findUncountedTail } from './findUncountedTail.ts'
import { formatJournalLine } from './journalLine.ts'
import { readHistoryEntries } from './readHistoryEntries.ts'
import { type BrokenLine, replayJournal } from './replayJournal.ts'

/**
 * The file of the append-only collections (ADR 8): a line for each transaction that wrote to them.
 *
 * The document records the number of valid bytes. Later bytes belong to a commit that did not complete, and the next
 * commit overwrites them. The file is never compacted: removals are rare, and the file and its length would have to
 * change atomically.
 */
export class HistoryFile {
  readonly #path: string
  readonly #onNotice: (message: string) => void
  #file: FileHandle | undefined

  constructor(path: string, onNotice: (message: string) => void) {
    this.#path = path
    this.#onNotice = onNotice
  }

  /** Reads the items in the first `length` bytes, and cuts off the rest. @throws {StoreOpenError} */
  async open(length: number): Promise<StoreItems> {
    const found = await findFileSize(this.#path)
    const size = found ?? 0
    if (size < length) throw this.#toOpenError(found === undefined ? 'is missing' : `has only ${size} bytes`, length)
    const items = length > 0 ? await this.#read(length) : {}
    this.#file = await open(this.#path, 'a+', 0o600)
    await syncDirectory(dirname(this.#path))
    if (size > length) {
      await this.#file.truncate(length)
      await this.#file.sync()
      this.#onNotice(`${this.#path}: cut off ${size - length} bytes of an incomplete commit`)
    }
    return items
  }

  /**
   * Writes the history of transactions after the first `length` bytes, replacing what is there, and makes it durable.
   * Returns the new length, which the caller must record to make it valid.
   */
  async append(transactions: readonly (readonly StoreWrite[])[], length: number): Promise<number> {
    const file = this.#file
    if (!file || !(await isSameFile(this.#path, file))) {
      throw new Error(`${this.#path} was removed or replaced while it was open`)
    }
    const { size } = await file.stat()
    // `truncate` would fill the missing part with NULs.
    if (size < length) throw new Error(`${this.#path} lost ${length - size} bytes while it was open`)
    if (size > length) await file.truncate(length)
    const bytes = Buffer.from(transactions.map(formatTransactions).join(''))
    if (bytes.length === 0) return length
    await file.appendFile(bytes)
    await file.sync()
    return length + bytes.length
  }

  /** Reads the entries in the first `length` bytes of the file. */
  entries(length: number): AsyncIterable<StoredAuditEntry> {
    return readHistoryEntries(this.#path, length)
  }

  /** Returns what the file contains beyond its recorded end. */
  findUncounted(readLength: () => number): Promise<UncountedTail | undefined> {
    return findUncountedTail(this.#path, readLength)
  }

  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
  }

  async #read(length: number): Promise<StoreItems> {
    const remedy = ({ before }: BrokenLine) => historyRemedy(before)
    const { items, bytes } = await replayJournal(this.#path, historyCollections, remedy, { length })
    if (bytes !== length) throw this.#toOpenError('has no line that ends there', length)
    return items
  }

  #toOpenError(problem: string, length: number): StoreOpenError {
    return storeOpenError(this.#path, `${problem}, and db.json refers to ${length} bytes of it`, historyRemedy(0))
  }
}

/** The checksum of the document does not cover `historyLength`, so it can be edited. */
function historyRemedy(rest: number): string {
  const lost = rest === 0 ? 'all entries' : 'the rest'
  return `restore a backup, or set "historyLength" in db.json to ${rest} to lose ${lost}`
}

function formatTransactions(writes: readonly StoreWrite[]): string {
  const historyWrites = writes.filter(({ collection }) => isHistory(collection))
  return historyWrites.length > 0 ? `${formatJournalLine(historyWrites)}\n` : ''
}
