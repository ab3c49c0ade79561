import type { AuditLog } from '../auditLog.ts'
import type { Resources } from '../resources/collections.ts'
import {
  type BeforeCommitHook,
  type ChangeListener,
  type Collection,
  DuplicateError,
  type ItemPatch,
  type Store,
  type StoreWrite
} from '../store.ts'
import { frozenJsonCopy } from '../tables/deepFreeze.ts'
import { runQuery } from '../tables/runQuery.ts'
import { isUserData, type StoreState } from '../tables/storeState.ts'
import { findItem, putItem, removeItem, type Table } from '../tables/table.ts'

/**
 * The store that a transaction receives: the state at its start with its own writes applied, and the list of writes.
 */
export class TransactionStore implements Store {
  readonly #store: Store
  readonly #writes: StoreWrite[] = []
  #state: StoreState
  #isOver = false

  constructor(store: Store, state: StoreState) {
    this.#store = store
    this.#state = state
  }

  get state(): StoreState {
    return this.#state
  }

  get writes(): readonly StoreWrite[] {
    return this.#writes
  }

  /** Makes later uses fail, so that a write that was not awaited is not lost silently. */
  end(): void {
    this.#isOver = true
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
    const count = this.#writes.length
    try {
      return await work(this)
    } catch (error) {
      this.#state = state
      this.#writes.length = count
      throw error
    }
  }

  subscribe(listener: ChangeListener): () => void {
    return this.#store.subscribe(listener)
  }

  beforeCommit(hook: BeforeCommitHook): () => void {
    return this.#store.beforeCommit(hook)
  }

  auditLog(): AuditLog {
    return this.#store.auditLog()
  }

  async purgeUserData(): Promise<void> {
    throw new Error('a transaction cannot purge the store it belongs to; purge it after the transaction')
  }

  isWritable(): boolean {
    return this.#store.isWritable()
  }

  async close(): Promise<void> {
    throw new Error('a transaction cannot close the store it belongs to; close it after the transaction')
  }

  #table<K extends keyof Resources>(name: K): Table<Resources[K]> {
    if (this.#isOver) throw new Error(`${name} was used after its transaction; await each call inside the transaction`)
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
    const after = frozenJsonCopy({ ...before, ...members })
    if (after._id !== id) throw new Error(`${name} ${id} cannot become ${after._id}: an item keeps its _id`)
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
    const first = this.#writes[0]?.collection
    if (first && isUserData(first) !== isUserData(name)) {
      throw new Error(`one transaction writes ${first} and ${name}; user data need a transaction of their own`)
    }
    this.#state = { ...this.#state, [name]: table }
    // `before` and `after` are items of this collection.
    this.#writes.push({ collection: name, ...items } as StoreWrite)
  }
}
