import type { Resources } from '../resources/collections.ts'
import type { StoredAuditEntry } from '../resources/history.ts'
import { type Collection, DuplicateError, type Store } from '../store.ts'
import { frozenJsonCopy } from '../tables/deepFreeze.ts'
import type { HistoryRow, LoadEntries } from '../tables/historyRow.ts'
import { createReads } from '../tables/reads.ts'
import {
  type HistoryCollection,
  isHistory,
  type MemoryCollection,
  type StoreState,
  type Tables
} from '../tables/storeState.ts'
import { type Item, putItem, removeItem, type Table } from '../tables/table.ts'
import { DraftStore } from '../transactions/draftStore.ts'
import { replaceMembers } from '../transactions/replaceMembers.ts'

/** How a store keeps audit entries. */
interface HistoryOptions {
  readonly load: LoadEntries
  readonly toRow: (entry: StoredAuditEntry) => HistoryRow
}

/** The store of a transaction in memory: the state at its start with its own writes applied. */
export class TransactionStore extends DraftStore {
  #state: StoreState
  readonly #history: HistoryOptions

  constructor(store: Store, state: StoreState, history: HistoryOptions) {
    super(store)
    this.#state = state
    this.#history = history
  }

  get state(): StoreState {
    return this.#state
  }

  collection<K extends keyof Resources>(name: K): Collection<Resources[K]> {
    const readState = () => this.#readState(name)
    const writes = isHistory(name) ? this.#historyWrites(name) : this.#tableWrites(name as K & MemoryCollection)
    // The writes of `name`; the compiler does not follow the condition.
    return { ...createReads(name, readState, this.#history.load), ...(writes as Writes<Item> as Writes<Resources[K]>) }
  }

  async transaction<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const state = this.#state
    const count = this.writes.length
    try {
      return await work(this)
    } catch (error) {
      this.#state = state
      this.dropWrites(count)
      throw error
    }
  }

  #tableWrites<K extends MemoryCollection>(name: K): Writes<Resources[K]> {
    const readTable = () => {
      const tables: Tables = this.#readState(name)
      return tables[name]
    }
    return {
      insert: async (item) => {
        const table = readTable()
        assertFree(table, item)
        const after = frozenJsonCopy(item)
        this.#write(name, putItem(table, after), { after })
        return after
      },
      update: async (id, members) => {
        const table = readTable()
        const before = table.items.get(id)
        if (!before) return undefined
        const after = replaceMembers(name, before, members)
        this.#write(name, putItem(table, after), { before, after })
        return after
      },
      remove: async (id) => {
        const table = readTable()
        const before = table.items.get(id)
        if (before) this.#write(name, removeItem(table, before), { before })
        return before
      }
    }
  }

  #historyWrites(name: HistoryCollection): Writes<StoredAuditEntry> {
    const { load, toRow } = this.#history
    const readTable = () => this.#readState(name)[name]
    const find = async (_id: string) => {
      const row = readTable().items.get(_id)
      return row && (await load([row]))[0]
    }
    return {
      insert: async (entry) => {
        const table = readTable()
        assertFree(table, entry)
        const after = frozenJsonCopy(entry)
        this.#write(name, putItem(table, toRow(after)), { after })
        return after
      },
      update: async (id, members) => {
        const before = await find(id)
        if (!before) return undefined
        const after = replaceMembers(name, before, members)
        this.#write(name, putItem(readTable(), toRow(after)), { before, after })
        return after
      },
      remove: async (id) => {
        const before = await find(id)
        const row = readTable().items.get(id)
        // Another call may have removed it meanwhile.
        if (!before || !row) return undefined
        this.#write(name, removeItem(readTable(), row), { before })
        return before
      }
    }
  }

  /** Returns the state for a use of a collection. */
  #readState(name: keyof Resources): StoreState {
    this.assertActive(name)
    return this.#state
  }

  #write<K extends keyof Resources>(
    name: K,
    table: object,
    items: { readonly before?: Resources[K]; readonly after?: Resources[K] }
  ): void {
    this.assertMayWrite(name)
    this.#state = { ...this.#state, [name]: table }
    this.record(name, items)
  }
}

type Writes<T extends Item> = Pick<Collection<T>, 'insert' | 'update' | 'remove'>

function assertFree<T extends Item>(table: Table<T>, { _id }: Item): void {
  if (table.items.get(_id)) throw new DuplicateError(table.name, { _id })
}
