import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isSameFile, syncDirectory, writeFileAtomic } from '@burgee/kit/files'
import { reasonOf } from '../../lib/reasonOf.ts'
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
 * A commit is in the commit log before its lines are here. So they need no fsync until a document replaces the log, and
 * a start appends those that a crash prevented. Bytes beyond them are not ours, and are moved to a file beside this one.
 */
export class HistoryFile {
  readonly #path: string
  readonly #onNotice: (message: string) => void
  #file: FileHandle | undefined
  /** The number of bytes that belong to commits and were written. */
  #length = 0
  /** What committed transactions add after these bytes, and could not be written yet. */
  #pending: Buffer = Buffer.alloc(0)

  constructor(path: string, onNotice: (message: string) => void) {
    this.#path = path
    this.#onNotice = onNotice
  }

  /**
   * Reads the items in the first `length` bytes and in `lines`, the committed lines after them, which it appends if
   * they are missing. Moves what follows to another file. @throws {StoreOpenError}
   */
  async open(length: number, lines: readonly string[]): Promise<StoreItems> {
    const found = await findFileSize(this.#path)
    const size = found ?? 0
    if (size < length) throw this.#toOpenError(found === undefined ? 'is missing' : `has only ${size} bytes`, length)
    // Damage before `length` is found before anything is written.
    const items = length > 0 ? await this.#read(length) : {}
    const file = await open(this.#path, 'a+', 0o600)
    this.#file = file
    await syncDirectory(dirname(this.#path))
    const committed = Buffer.from(lines.join(''))
    const { buffer } = await file.read(Buffer.alloc(Math.min(committed.length, size - length)), 0, null, length)
    const isKept = buffer.equals(committed.subarray(0, buffer.length))
    this.#length = length + (isKept ? buffer.length : 0)
    this.#pending = isKept ? committed.subarray(buffer.length) : committed
    await this.prepare()
    await this.sync()
    return this.#length > length ? await this.#read(this.#length) : items
  }

  /** Writes what is missing, so that the file has all commits. @throws when it cannot be written. */
  async prepare(): Promise<void> {
    const file = this.#file
    const [isSame, stat] = file ? await Promise.all([isSameFile(this.#path, file), file.stat()]) : []
    if (!file || !isSame || !stat) throw new Error(`${this.#path} was removed or replaced while it was open`)
    const { size } = stat
    // `truncate` would fill the missing part with NULs.
    if (size < this.#length) throw new Error(`${this.#path} lost ${this.#length - size} bytes while it was open`)
    if (size > this.#length) await this.#cut(file, size)
    await this.#flush()
  }

  /** Appends lines of a durable commit. If that fails, the next `prepare` repeats it. */
  async append(lines: string): Promise<void> {
    if (lines === '') return
    this.#pending = Buffer.concat([this.#pending, Buffer.from(lines)])
    await this.#flush().catch((error) => this.#onNotice(`${this.#path} is incomplete: ${reasonOf(error)}`))
  }

  /** Makes the file durable. @throws when committed lines are missing in it. */
  async sync(): Promise<void> {
    if (this.#pending.length > 0) throw new Error(`${this.#path} lacks ${this.#pending.length} bytes of commits`)
    await this.#file?.sync()
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

  async #flush(): Promise<void> {
    if (!this.#file || this.#pending.length === 0) return
    await this.#file.appendFile(this.#pending)
    this.#length += this.#pending.length
    this.#pending = Buffer.alloc(0)
  }

  /** Removes the bytes after the committed ones. Whole lines may have been acknowledged, and are kept in a file. */
  async #cut(file: FileHandle, size: number): Promise<void> {
    const bytes = size - this.#length
    if (await hasLine(this.#path, this.#length)) {
      const aside = `${this.#path}.${this.#length}-${size}`
      await writeFileAtomic(aside, createReadStream(this.#path, { start: this.#length, end: size - 1 }))
      this.#onNotice(
        `${this.#path} has ${bytes} bytes that no commit refers to: an older db.json was put in place, or another program wrote them; they are moved to ${aside}`
      )
    } else this.#onNotice(`${this.#path}: cut off ${bytes} bytes of an incomplete line`)
    await file.truncate(this.#length)
    await file.sync()
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

/** A document without a checksum can be edited. */
function historyRemedy(rest: number): string {
  const lost = rest === 0 ? 'all entries' : 'the rest'
  return `restore a backup, or, to lose ${lost}, set "historyLength" in db.json to ${rest} and remove its "checksum"`
}

/** Formats the lines of transactions; empty if they have no history. */
export function formatHistory(transactions: readonly (readonly StoreWrite[])[]): string {
  return transactions.map(formatTransaction).join('')
}

function formatTransaction(writes: readonly StoreWrite[]): string {
  const historyWrites = writes.filter(({ collection }) => isHistory(collection))
  return historyWrites.length > 0 ? `${formatJournalLine(historyWrites)}\n` : ''
}

/** Whether a file has a line feed after the first `start` bytes. */
async function hasLine(path: string, start: number): Promise<boolean> {
  for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>) {
    if (chunk.includes('\n')) return true
  }
  return false
}
