import type { Resources } from '../resources/collections.ts'
import type { StoredAuditEntry } from '../resources/history.ts'
import type { Collection } from '../store.ts'
import { type HistoryRow, type LoadEntries, toRowMatch, toRowQuery } from './historyRow.ts'
import { runQuery } from './runQuery.ts'
import { isHistory, type MemoryCollection, type StoreState, type Tables } from './storeState.ts'
import { findItem, type Item, type Table } from './table.ts'

/** The reads of a collection. */
export type Reads<T extends Item> = Pick<Collection<T>, 'get' | 'list' | 'scan'>

/** Creates the reads of a collection in the state that `readState` returns. @param load Loads audit entries. */
export function createReads<K extends keyof Resources>(
  name: K,
  readState: () => StoreState,
  load: LoadEntries
): Reads<Resources[K]> {
  const reads = isHistory(name)
    ? createHistoryReads(() => readState()[name], load)
    : createTableReads(name as K & MemoryCollection, readState)
  // The reads of `name`; the compiler does not follow the condition.
  return reads as Reads<Item> as Reads<Resources[K]>
}

function createTableReads<K extends MemoryCollection>(name: K, readTables: () => Tables): Reads<Resources[K]> {
  return {
    get: async (match) => findItem(readTables()[name], match),
    list: async (query) => runQuery(readTables()[name], query),
    scan: async function* (query) {
      yield* runQuery(readTables()[name], query).items
    }
  }
}

/** Selects rows, and loads their entries. */
function createHistoryReads(readTable: () => Table<HistoryRow>, load: LoadEntries): Reads<StoredAuditEntry> {
  return {
    get: async (match) => {
      const row = findItem(readTable(), toRowMatch(match))
      return row && (await load([row]))[0]
    },
    list: async (query = {}) => {
      const { items, count } = runQuery(readTable(), toRowQuery(query))
      return { items: await load(items), count }
    },
    scan: async function* ({ hint, ...query } = {}) {
      const { items } = runQuery(readTable(), toRowQuery(query))
      for (let first = 0; first < items.length; first += BATCH) {
        yield* await load(items.slice(first, first + BATCH), hint)
      }
    }
  }
}

/** The number of entries that a scan holds at once. */
const BATCH = 100
