import { readLines } from '../disk/readLines.ts'
import type { Resources } from '../resources.ts'
import { storeOpenError } from '../storeOpenError.ts'
import type { StoreItems } from '../tables/storeState.ts'
import { parseJournalLine } from './journalLine.ts'

/** What the lines of a file of changes come to. */
export interface ReplayResult {
  readonly items: StoreItems
  /** How many changes were read, whatever became of their items. */
  readonly records: number
  readonly bytes: number
}

/** Where a file of changes cannot be read on. */
export interface BrokenLine {
  readonly number: number
  /** How many bytes of the file are before it. */
  readonly before: number
}

/**
 * Reads the changes of some collections from a file, all of it or its first `length` bytes; `remedy` says what to do
 * about a line that is broken.
 * @throws {StoreOpenError} when one is.
 */
export async function replayJournal<K extends keyof Resources>(
  path: string,
  collections: readonly K[],
  remedy: (line: BrokenLine) => string,
  length?: number
): Promise<ReplayResult> {
  const tables = new Map<K, Map<string, Resources[K]>>(collections.map((name) => [name, new Map()]))
  let records = 0
  let number = 1
  let bytes = 0
  try {
    for await (const line of readLines(path, length)) {
      for (const record of parseJournalLine(line, collections)) {
        records++
        if ('put' in record) tables.get(record.put)?.set(record.item._id, record.item)
        else tables.get(record.remove)?.delete(record._id)
      }
      number++
      bytes += Buffer.byteLength(line) + 1
    }
  } catch (cause) {
    throw storeOpenError(path, `is broken at line ${number}`, remedy({ number, before: bytes }), cause)
  }
  // Each table was filled with the records of its own collection.
  const items = Object.fromEntries([...tables].map(([name, table]) => [name, table.values()])) as StoreItems
  return { items, records, bytes }
}
