import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from '@burgee/kit/files'
import { findFileSize, isSameFile } from '../disk/fileStat.ts'
import { historyCollections, type StoredAuditEntry } from '../resources.ts'
import type { StoreOpenError, StoreWrite } from '../store.ts'
import { storeOpenError } from '../storeOpenError.ts'
import { isHistory, type StoreItems } from '../tables/storeState.ts'
import { formatJournalLine } from './journalLine.ts'
import { readHistoryEntries } from './readHistoryEntries.ts'
import { type BrokenLine, replayJournal } from './replayJournal.ts'

/**
 * The file of what only grows: a line for each transaction that wrote some of it.
 *
 * How much of the file counts is not for the file to say: whoever commits knows its length. What is beyond belongs to
 * a commit that never happened, and the next one takes its place. It is never compacted: removals are rare here, and a
 * shorter file would have to come into force together with the length of it that is written elsewhere.
 */
export class HistoryFile {
  readonly #path: string
  readonly #onNotice: (message: string) => void
  #file: FileHandle | undefined

  constructor(path: string, onNotice: (message: string) => void) {
    this.#path = path
    this.#onNotice = onNotice
  }

  /** The items that the first `length` bytes come to; whatever follows them is cut away. @throws {StoreOpenError} */
  async open(length: number): Promise<StoreItems> {
    const found = await findFileSize(this.#path)
    const size = found ?? 0
    if (size < length) throw this.#refusal(found === undefined ? 'is missing' : `has only ${size} bytes`, length)
    const items = length > 0 ? await this.#read(length) : {}
    this.#file = await open(this.#path, 'a+', 0o600)
    await syncDirectory(dirname(this.#path))
    if (size > length) {
      await this.#file.truncate(length)
      await this.#file.sync()
      this.#onNotice(`${this.#path}: cut away ${size - length} bytes of a commit that was never finished`)
    }
    return items
  }

  /**
   * Makes the history in these transactions durable behind the first `length` bytes, in place of whatever is there,
   * and answers how many bytes there are with it. What was appended counts once the caller has kept that number.
   */
  async append(transactions: readonly (readonly StoreWrite[])[], length: number): Promise<number> {
    const file = this.#file
    if (!file || !(await isSameFile(this.#path, file))) {
      throw new Error(`${this.#path} was removed or replaced while it was open`)
    }
    const { size } = await file.stat()
    // Cutting would fill up what is missing with NULs.
    if (size < length) throw new Error(`${this.#path} lost ${length - size} bytes while it was open`)
    if (size > length) await file.truncate(length)
    const bytes = Buffer.from(transactions.map(formatTransactions).join(''))
    if (bytes.length === 0) return length
    await file.appendFile(bytes)
    await file.sync()
    return length + bytes.length
  }

  /** The entries in the first `length` bytes, as the file has them now. */
  entries(length: number): AsyncIterable<StoredAuditEntry> {
    return readHistoryEntries(this.#path, length)
  }

  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
  }

  async #read(length: number): Promise<StoreItems> {
    const remedy = ({ before }: BrokenLine) => historyRemedy(before)
    const { items, bytes } = await replayJournal(this.#path, historyCollections, remedy, length)
    if (bytes !== length) throw this.#refusal('has no line that ends there', length)
    return items
  }

  #refusal(wrong: string, length: number): StoreOpenError {
    return storeOpenError(this.#path, `${wrong}, and db.json counts on ${length} bytes of it`, historyRemedy(0))
  }
}

/** The document's checksum is of its data only, so that this number can be set by hand. */
function historyRemedy(rest: number): string {
  const lost = rest === 0 ? 'all of it' : 'what follows'
  return `put back a copy from a backup, or set "historyLength" in db.json to ${rest} to lose ${lost}`
}

function formatTransactions(writes: readonly StoreWrite[]): string {
  const grown = writes.filter(({ collection }) => isHistory(collection))
  return grown.length > 0 ? `${formatJournalLine(grown)}\n` : ''
}
