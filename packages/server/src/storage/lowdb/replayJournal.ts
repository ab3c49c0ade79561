import { readLines } from '../disk/readLines.ts'
import { EncryptedValueError, type ItemCodec } from '../encryption/itemCodec.ts'
import type { Resources } from '../resources/collections.ts'
import { storeOpenError } from '../storeOpenError.ts'
import type { MemoryItems } from '../tables/storeState.ts'
import { checkedLine, parseJournalLine } from './document/journalLine.ts'

/** The result of replaying a file. */
export interface ReplayResult {
  readonly items: MemoryItems
  /** The number of changes, outdated ones included. */
  readonly records: number
  readonly bytes: number
  /** Whether a record, outdated or not, has secrets that the codec would encode differently. */
  readonly hasOutdatedSecrets: boolean
}

/**
 * Reads the changes of some collections from a journal, or from its first `length` bytes. `remedy` is the advice for
 * a damaged line; `codec` decrypts secrets.
 * @throws {StoreOpenError} when a line is damaged.
 */
export async function replayJournal<K extends keyof Resources>(
  path: string,
  collections: readonly K[],
  remedy: string,
  { length, codec }: { readonly length?: number; readonly codec?: ItemCodec } = {}
): Promise<ReplayResult> {
  const tables = new Map<K, Map<string, Resources[K]>>(collections.map((name) => [name, new Map()]))
  let records = 0
  let number = 1
  let bytes = 0
  let hasOutdatedSecrets = false
  try {
    for await (const line of readLines(path, length)) {
      for (const record of parseJournalLine(checkedLine(line), collections)) {
        records++
        if ('put' in record) {
          const item = codec ? codec.decode(record.put, record.item) : record.item
          if (codec?.isOutdated(record.put, record.item)) hasOutdatedSecrets = true
          tables.get(record.put)?.set(item._id, item)
        } else tables.get(record.remove)?.delete(record._id)
      }
      number++
      bytes += Buffer.byteLength(line) + 1
    }
  } catch (cause) {
    const reason = cause instanceof EncryptedValueError ? ` (${cause.message})` : ''
    throw storeOpenError(path, `is damaged at line ${number}${reason}`, remedy, cause)
  }
  // Each table was filled with the records of its own collection.
  const items = Object.fromEntries([...tables].map(([name, table]) => [name, table.values()])) as MemoryItems
  return { items, records, bytes, hasOutdatedSecrets }
}
