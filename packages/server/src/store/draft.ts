import type { AuditLog } from './auditLog.ts'
import { frozenCopy } from './frozen.ts'
import { select } from './query.ts'
import type { Resources } from './resources.ts'
import { isUserData, type State } from './state.ts'
import {
  type Collection,
  type Companion,
  DuplicateError,
  type Listener,
  type Members,
  type Store,
  type Write
} from './store.ts'
import { find, put, type Table, take } from './table.ts'

/** The store a transaction works on: the state it found, its own writes on top of it, and the record of these. */
export class Draft implements Store {
  readonly #store: Store
  readonly #writes: Write[] = []
  #state: State
  #isOver = false

  constructor(store: Store, state: State) {
    this.#store = store
    this.#state = state
  }

  get state(): State {
    return this.#state
  }

  get writes(): readonly Write[] {
    return this.#writes
  }

  /** Makes every later use fail: a write that is not awaited must not be lost without a word. */
  end(): void {
    this.#isOver = true
  }

  collection<K extends keyof Resources>(name: K): Collection<Resources[K]> {
    return {
      get: async (match) => find(this.#table(name), match),
      list: async (query) => select(this.#table(name), query),
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

  subscribe(listener: Listener): () => void {
    return this.#store.subscribe(listener)
  }

  accompany(companion: Companion): () => void {
    return this.#store.accompany(companion)
  }

  auditLog(): AuditLog {
    return this.#store.auditLog()
  }

  isWritable(): boolean {
    return this.#store.isWritable()
  }

  async close(): Promise<void> {
    throw new Error('a transaction cannot close the store it belongs to; close it after the transaction')
  }

  #table<K extends keyof Resources>(name: K): Table<Resources[K]> {
    if (this.#isOver) throw new Error(`${name} was used after its transaction was over; await every call inside it`)
    return this.#state[name]
  }

  #insert<K extends keyof Resources>(name: K, item: Resources[K]): Resources[K] {
    const table = this.#table(name)
    if (table.items.get(item._id)) throw new DuplicateError(name, { _id: item._id })
    const after = frozenCopy(item)
    this.#write(name, put(table, after), { after })
    return after
  }

  #update<K extends keyof Resources>(name: K, id: string, members: Members<Resources[K]>): Resources[K] | undefined {
    const table = this.#table(name)
    const before = table.items.get(id)
    if (!before) return undefined
    const after = frozenCopy({ ...before, ...members })
    if (after._id !== id) throw new Error(`${name} ${id} cannot become ${after._id}: an item keeps its _id`)
    this.#write(name, put(table, after), { before, after })
    return after
  }

  #remove<K extends keyof Resources>(name: K, id: string): Resources[K] | undefined {
    const table = this.#table(name)
    const before = table.items.get(id)
    if (before) this.#write(name, take(table, before), { before })
    return before
  }

  #write<K extends keyof Resources>(
    name: K,
    table: Table<Resources[K]>,
    items: { readonly before?: Resources[K]; readonly after?: Resources[K] }
  ): void {
    const first = this.#writes[0]?.collection
    if (first && isUserData(first) !== isUserData(name)) {
      throw new Error(`one transaction writes ${first} and ${name}; user data and the rest need a transaction each`)
    }
    this.#state = { ...this.#state, [name]: table }
    // `before` and `after` are items of the collection that is named.
    this.#writes.push({ collection: name, ...items } as Write)
  }
}
