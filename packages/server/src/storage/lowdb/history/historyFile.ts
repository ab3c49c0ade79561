import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { serialize } from '@burgee/kit'
import { findFile, syncDirectory, toFileId, writeFileAtomic } from '@burgee/kit/files'
import { reasonOf } from '../../../lib/reasonOf.ts'
import type { UncountedTail } from '../../auditLog.ts'
import { isDiskFull } from '../../disk/diskFull.ts'
import { findFileSize } from '../../disk/fileStat.ts'
import type { OnNotice } from '../../onNotice.ts'
import type { StoredAuditEntry } from '../../resources/history.ts'
import { StoreLostError, type StoreOpenError, type StoreWrite } from '../../store.ts'
import { storeOpenError } from '../../storeOpenError.ts'
import { type HistoryRow, type LoadEntries, wholeEntry } from '../../tables/historyRow.ts'
import type { HistoryCollection, StoreState } from '../../tables/storeState.ts'
import type { JournalRecord } from '../document/journalLine.ts'
import { findUncountedTail } from './findUncountedTail.ts'
import { formatHistoryLine, type PlacedEntry } from './historyLine.ts'
import { readEntries } from './readEntries.ts'
import { readHistoryEntries } from './readHistoryEntries.ts'
import { RecentEntries } from './recentEntries.ts'
import { type PlacedRow, RowReader } from './rowReader.ts'

/**
 * The file of the append-only collections (ADR 8): a line for each transaction that wrote to them.
 *
 * A commit is in the commit log before its lines are here. So they need no fsync until a document replaces the log, and
 * a start appends those that a crash prevented. Bytes beyond them are not ours, and are moved to a file beside this one.
 */
export class HistoryFile {
  readonly #path: string
  readonly #onNotice: OnNotice
  readonly #assertOwned: () => Promise<void>
  readonly #recent = new RecentEntries()
  #file: FileHandle | undefined
  /** The id of the file. An open file keeps it. */
  #id: string | undefined
  /** The number of bytes that belong to commits and were written. */
  #length = 0
  /** What committed transactions add after these bytes and has not been written yet. */
  #pending: Buffer = Buffer.alloc(0)
  /** The entries in these bytes, with their rows. */
  #unwritten: readonly PlacedRow[] = []
  /** Whether a write failed and may have left a part of its bytes. */
  #isTorn = false
  /** One write at a time. */
  readonly #writes = serialize()
  /** The write of the last commit's history. */
  #flushing: Promise<void> | undefined

  /** @param assertOwned Rejects if another process owns the directory by now. Runs before each write. */
  constructor(path: string, onNotice: OnNotice, assertOwned: () => Promise<void>) {
    this.#path = path
    this.#onNotice = onNotice
    this.#assertOwned = assertOwned
  }

  /**
   * Replaces the file by a copy, so that a suspended former owner can only append to the old one. On a full disk, it
   * keeps the file.
   */
  async detach(): Promise<void> {
    if ((await findFileSize(this.#path)) === undefined) return
    try {
      await writeFileAtomic(this.#path, createReadStream(this.#path), { beforeRename: this.#assertOwned })
    } catch (error) {
      if (!isDiskFull(error)) throw error
    }
  }

  /**
   * Reads the entries in the first `length` bytes and in `lines`, the committed lines after them, which it appends if
   * they are missing. Moves what follows to another file. `isComplete` is false if the disk is too full for that; the
   * next `prepare` repeats it. @throws {StoreOpenError}
   */
  async open(length: number, lines: readonly string[]): Promise<OpenedHistory> {
    const found = await findFileSize(this.#path)
    const size = found ?? 0
    if (size < length) throw this.#toOpenError(found === undefined ? 'is missing' : `has only ${size} bytes`, length)
    // Damage before `length` is found before anything is written.
    const reader = new RowReader(this.#path)
    await this.#read(reader, length)
    const file = await open(this.#path, 'a+', 0o600)
    this.#file = file
    this.#id = toFileId(await file.stat({ bigint: true }))
    await syncDirectory(dirname(this.#path))
    const committed = Buffer.from(lines.join(''))
    const { buffer } = await file.read(Buffer.alloc(Math.min(committed.length, size - length)), 0, null, length)
    const isKept = buffer.equals(committed.subarray(0, buffer.length))
    this.#length = length + (isKept ? buffer.length : 0)
    this.#pending = isKept ? committed.subarray(buffer.length) : committed
    const isComplete = await this.#tryToComplete()
    const added = reader.addLines(lines, isComplete)
    if (!isComplete) this.#unwritten = added
    return { rows: reader.rows, isComplete }
  }

  async #tryToComplete(): Promise<boolean> {
    try {
      await this.prepare()
      await this.sync()
      return true
    } catch (error) {
      if (!isDiskFull(error)) throw error
      return false
    }
  }

  /** Writes what is missing, so that the file has all commits. @throws when it cannot be written. */
  prepare(): Promise<void> {
    return this.#writes(async () => {
      await Promise.all([this.#checkFile(), this.#pending.length > 0 ? this.#assertOwned() : undefined])
      await this.#writePending()
    })
  }

  /** Cuts off bytes of other programs. @throws if the file was removed, replaced or truncated. */
  async #checkFile(): Promise<void> {
    const file = this.#file
    const found = await findFile(this.#path)
    if (!file || !found || found.id !== this.#id) {
      await this.#assertOwned()
      throw new Error(`${this.#path} was removed or replaced while it was open`)
    }
    const size = Number(found.size)
    // `truncate` would fill the missing part with NULs.
    if (size < this.#length) throw new Error(`${this.#path} lost ${this.#length - size} bytes while it was open`)
    if (size > this.#length) await this.#cut(file, size)
    this.#isTorn = false
  }

  /**
   * Adds the history of a durable commit, and takes the entries out of the rows of `state` once they are written. If
   * that fails, the next `prepare` repeats it.
   */
  append({ lines, entries }: CommitHistory, state: StoreState): void {
    if (lines === '') return
    this.#pending = Buffer.concat([this.#pending, Buffer.from(lines)])
    const rows = entries.flatMap(({ entry, place }) => {
      const row = state.auditEntries.items.get(entry._id)
      return row && wholeEntry(row) === entry ? [{ row, place }] : []
    })
    this.#unwritten = [...this.#unwritten, ...rows]
    // Not awaited, and in a later turn, so that the commit is acknowledged first: the commit log has the entries. The
    // next commit may write the lines before that, together with its checks.
    const flushing = setImmediate().then(() => this.#writes(() => this.#flush()))
    this.#flushing = flushing.catch((error) => {
      // The new owner reads the lines in the commit log.
      if (!(error instanceof StoreLostError)) this.#onNotice(`${this.#path} is incomplete: ${reasonOf(error)}`)
    })
  }

  /** Makes the file durable. @throws when lines of the commits so far are missing in it. */
  async sync(): Promise<void> {
    const end = this.#length + this.#pending.length
    await this.#idle()
    if (this.#length < end) throw new Error(`${this.#path} lacks ${end - this.#length} bytes of commits`)
    await this.#file?.sync()
  }

  /** Returns the entries of rows. */
  readonly load: LoadEntries = async (rows, hint) => {
    if (!this.#file) throw new Error(`${this.#path} is closed`)
    const source = { path: this.#path, file: this.#file, hint }
    return hint ? readEntries(source, rows) : this.#recent.load(rows, source)
  }

  /** Reads the entries in the first `length` bytes of the file. */
  async *entries(length: number): AsyncGenerator<StoredAuditEntry, void> {
    await this.#idle()
    yield* readHistoryEntries(this.#path, length)
  }

  /** Returns what the file contains beyond its recorded end. */
  findUncounted(readLength: () => number): Promise<UncountedTail | undefined> {
    return findUncountedTail(this.#path, readLength)
  }

  async close(): Promise<void> {
    await this.#idle()
    await this.#file?.close()
    this.#file = undefined
  }

  async #idle(): Promise<void> {
    await this.#flushing
    await this.#writes.idle()
  }

  async #flush(): Promise<void> {
    if (this.#pending.length === 0) return
    if (this.#isTorn) await this.#checkFile()
    await this.#assertOwned()
    await this.#writePending()
  }

  /** Call it right after the owner was checked. */
  async #writePending(): Promise<void> {
    const [bytes, entries] = [this.#pending, this.#unwritten]
    if (!this.#file || bytes.length === 0) return
    this.#isTorn = true
    await this.#file.appendFile(bytes)
    this.#isTorn = false
    this.#length += bytes.length
    // More may have been added meanwhile.
    this.#pending = this.#pending.subarray(bytes.length)
    this.#unwritten = this.#unwritten.slice(entries.length)
    for (const { row, place } of entries) row.content = place
  }

  /** Removes the bytes after the committed ones. Whole lines may have been acknowledged, and are kept in a file. */
  async #cut(file: FileHandle, size: number): Promise<void> {
    await this.#assertOwned()
    const bytes = size - this.#length
    if (await this.#isPartOfPending(file, bytes)) {
      await file.truncate(this.#length)
      return
    }
    if (await hasLine(this.#path, this.#length)) {
      const aside = `${this.#path}.${this.#length}-${size}`
      const tail = createReadStream(this.#path, { start: this.#length, end: size - 1 })
      await writeFileAtomic(aside, tail, { beforeRename: this.#assertOwned })
      this.#onNotice(
        `${this.#path} has ${bytes} bytes that no commit refers to, so acknowledged changes may be missing: an older db.json was put in place, commits-*.jsonl was removed, or another program wrote them; they are moved to ${aside}`,
        'error'
      )
    } else this.#onNotice(`${this.#path}: cut off ${bytes} bytes of an incomplete line`)
    await this.#assertOwned()
    await file.truncate(this.#length)
    await file.sync()
  }

  /** Whether the bytes after the committed ones are a part of the failed write. */
  async #isPartOfPending(file: FileHandle, bytes: number): Promise<boolean> {
    if (!this.#isTorn || bytes > this.#pending.length) return false
    const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, this.#length)
    return buffer.equals(this.#pending.subarray(0, bytes))
  }

  async #read(reader: RowReader, length: number): Promise<void> {
    await reader.readTo(length, historyRemedy)
    if (reader.length !== length) throw this.#toOpenError('has no line that ends there', length)
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

/** The content of the file when it is opened. */
interface OpenedHistory {
  readonly rows: Iterable<HistoryRow>
  /** Whether the file has exactly the lines of all commits. */
  readonly isComplete: boolean
}

/** What a commit adds to the history. */
export interface CommitHistory {
  /** The lines of its transactions; empty if they have no history. */
  readonly lines: string
  readonly entries: readonly PlacedEntry[]
}

/** Formats the history of transactions, which begins at `offset` of the file. */
export function formatHistory(transactions: readonly (readonly StoreWrite[])[], offset: number): CommitHistory {
  const entries: PlacedEntry[] = []
  let [lines, end] = ['', offset]
  for (const writes of transactions) {
    const records = writes.flatMap(toRecord)
    if (records.length === 0) continue
    const line = formatHistoryLine(records, end)
    lines += `${line.text}\n`
    end += Buffer.byteLength(line.text) + 1
    entries.push(...line.entries)
  }
  return { lines, entries }
}

function toRecord(write: StoreWrite): readonly JournalRecord<HistoryCollection>[] {
  if (write.collection !== 'auditEntries') return []
  const { collection, before, after } = write
  if (after) return [{ put: collection, item: after }]
  return before ? [{ remove: collection, _id: before._id }] : []
}

/** Whether a file has a line feed after the first `start` bytes. */
async function hasLine(path: string, start: number): Promise<boolean> {
  for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>) {
    if (chunk.includes('\n')) return true
  }
  return false
}

/** Whether a name is that of a file of lines that were moved aside. */
export function isAsideHistory(name: string): boolean {
  return /^history\.jsonl\.\d+-\d+$/.test(name)
}
