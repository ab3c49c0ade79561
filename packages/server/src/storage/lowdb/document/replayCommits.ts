import { open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isRecord } from '@burgee/kit'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { endOfLastLine } from '../../disk/appendLog.ts'
import { decodeLine, readLineBytes } from '../../disk/readLines.ts'
import type { StoreOpenError } from '../../store.ts'
import { RESTORE_BACKUP, storeOpenError } from '../../storeOpenError.ts'
import { isHistory } from '../../tables/storeState.ts'
import type { Item } from '../../tables/table.ts'
import { parseCommit, type StoredCommit, type StoredRecord } from './commitLine.ts'
import { findCommitFiles, firstRevisionOf } from './commitLog.ts'
import type { StoreDocument } from './storeDocument.ts'

/** A document with the commits since it was written. */
export interface ReplayedDocument {
  /** The document as if it had been written after the last commit. */
  readonly document: StoreDocument
  /** The lines that these commits add to the history. */
  readonly historyLines: readonly string[]
  /** The number of bytes of an incomplete last line, which were ignored. */
  readonly tornBytes: number
}

/**
 * Applies the commits that follow a document to it. Only reads; secrets stay encrypted.
 * @param until The last commit to apply.
 * @throws {StoreOpenError} when a commit is damaged or missing.
 */
export async function replayCommits(
  path: string,
  document: StoreDocument,
  until = Number.POSITIVE_INFINITY
): Promise<ReplayedDocument> {
  const directory = dirname(path)
  const data = new DataReplay(document.data)
  const historyLines: string[] = []
  let { revision, historyLength } = document
  let tornBytes = 0
  const names = (await findCommitFiles(directory)).filter((name) => firstRevisionOf(name) <= until)
  for (const name of names) {
    const file = join(directory, name)
    if (!(await stat(file)).isFile()) throw storeOpenError(file, 'is not a file', 'move it out of this directory')
    const isLast = name === names.at(-1) && until === Number.POSITIVE_INFINITY
    const ends = isLast ? await findEnds(file) : undefined
    tornBytes = ends ? ends.size - ends.lastLine : 0
    let number = 0
    for await (const bytes of readLineBytes(file, ends?.lastLine)) {
      number++
      // Only an interrupted write leaves NULs, and only the last one was not acknowledged.
      if (isLast && bytes.includes(0) && (await isLastLine(file, number, ends?.lastLine))) {
        tornBytes += bytes.length + 1
        break
      }
      const commit = parseLine(file, number, bytes)
      if (commit.revision <= document.revision) continue
      if (commit.revision !== revision + 1) throw damaged(file, number, `commit ${revision + 1} is missing`)
      const lines = commit.transactions.flatMap(formatHistory)
      historyLength += lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
      if (commit.historyLength !== historyLength) throw damaged(file, number, 'its length of the history is wrong')
      historyLines.push(...lines)
      for (const records of commit.transactions) for (const record of records) data.apply(record)
      revision = commit.revision
    }
  }
  return { document: { ...document, revision, historyLength, data: data.result() }, historyLines, tornBytes }
}

/** The data of a document with changes applied. Collections without changes stay the same lists. */
class DataReplay {
  readonly #data: unknown
  readonly #tables = new Map<string, Map<string, Item>>()

  constructor(data: unknown) {
    this.#data = data
  }

  apply(record: StoredRecord): void {
    const name = 'put' in record ? record.put : record.remove
    if (isHistory(name)) return
    const table = this.#tables.get(name) ?? this.#open(name)
    if ('put' in record) table.set(record.item._id, record.item)
    else table.delete(record._id)
  }

  result(): unknown {
    if (this.#tables.size === 0 || !isRecord(this.#data)) return this.#data
    const changed = [...this.#tables].map(([name, table]) => [name, [...table.values()]])
    return { ...this.#data, ...Object.fromEntries(changed) }
  }

  #open(name: string): Map<string, Item> {
    const items = isRecord(this.#data) ? this.#data[name] : undefined
    // The checksum proves that these are items; a collection of the document may be missing in another one.
    const table = new Map((Array.isArray(items) ? (items as Item[]) : []).map((item) => [item._id, item]))
    this.#tables.set(name, table)
    return table
  }
}

function parseLine(file: string, number: number, bytes: Uint8Array): StoredCommit {
  try {
    return parseCommit(decodeLine(bytes))
  } catch (cause) {
    throw damaged(file, number, reasonOf(cause), cause)
  }
}

function damaged(file: string, number: number, reason: string, cause?: unknown): StoreOpenError {
  return storeOpenError(file, `is damaged at line ${number}: ${reason}`, RESTORE_BACKUP, cause)
}

/** Formats what a transaction added to the history, as `HistoryFile` does. */
function formatHistory(records: readonly StoredRecord[]): string[] {
  const history = records.filter((record) => isHistory('put' in record ? record.put : record.remove))
  return history.length > 0 ? [`${JSON.stringify(history)}\n`] : []
}

async function findEnds(path: string): Promise<{ readonly size: number; readonly lastLine: number }> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    return { size, lastLine: await endOfLastLine(file, size) }
  } finally {
    await file.close()
  }
}

async function isLastLine(path: string, number: number, length: number | undefined): Promise<boolean> {
  let lines = 0
  for await (const _ of readLineBytes(path, length)) lines++
  return lines === number
}
