import type { Resources } from '../resources/collections.ts'
import { type Collection, DuplicateError, type ItemPatch, type Store } from '../store.ts'
import { frozenJsonCopy } from '../tables/deepFreeze.ts'
import { runQuery } from '../tables/runQuery.ts'
import type { StoreState } from '../tables/storeState.ts'
import { findItem, putItem, removeItem, type Table } from '../tables/table.ts'
import { DraftStore } from '../transactions/draftStore.ts'
import { replaceMembers } from '../transactions/replaceMembers.ts'

/** The store of a transaction in memory: the state at its start with its own writes applied. */
export class TransactionStore extends DraftStore {
  #state: StoreState

  constructor(store: Store, state: StoreState) {
    super(store)
    this.#state = state
  }

  get state(): StoreState {
    return this.#state
  }

  collection<K extends keyof Resources>(name: K): Collection<Resources[K]> {
    return {
      get: async (match) => findItem(this.#table(name), match),
      list: async (query) => runQuery(this.#table(name), query),
      insert: async (item) => this.#insert(name, item),
      update: async (id, members) => this.#update(name, id, members),
      remove: async (id) => this.#remove(name, id)
    }
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

  #table<K extends keyof Resources>(name: K): Table<Resources[K]> {
    this.assertActive(name)
    return this.#state[name]
  }

  #insert<K extends keyof Resources>(name: K, item: Resources[K]): Resources[K] {
    const table = this.#table(name)
    if (table.items.get(item._id)) throw new DuplicateError(name, { _id: item._id })
    const after = frozenJsonCopy(item)
    this.#write(name, putItem(table, after), { after })
    return after
  }

  #update<K extends keyof Resources>(name: K, id: string, members: ItemPatch<Resources[K]>): Resources[K] | undefined {
    const table = this.#table(name)
    const before = table.items.get(id)
    if (!before) return undefined
    const after = replaceMembers(name, before, members)
    this.#write(name, putItem(table, after), { before, after })
    return after
  }

  #remove<K extends keyof Resources>(name: K, id: string): Resources[K] | undefined {
    const table = this.#table(name)
    const before = table.items.get(id)
    if (before) this.#write(name, removeItem(table, before), { before })
    return before
  }

  #write<K extends keyof Resources>(
    name: K,
    table: Table<Resources[K]>,
    items: { readonly before?: Resources[K]; readonly after?: Resources[K] }
  ): void {
    this.assertMayWrite(name)
    this.#state = { ...this.#state, [name]: table }
    this.record(name, items)
  }
}
