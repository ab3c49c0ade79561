import type { AuditLog } from '../auditLog.ts'
import type { Resources } from '../resources/collections.ts'
import type { BeforeCommitHook, ChangeListener, Collection, Store, StoreWrite } from '../store.ts'
import { isUserData } from '../tables/storeState.ts'

/** The store that a transaction receives, and the list of its writes. */
export abstract class DraftStore implements Store {
  readonly #store: Store
  readonly #writes: StoreWrite[] = []
  #isOver = false

  constructor(store: Store) {
    this.#store = store
  }

  abstract collection<K extends keyof Resources>(name: K): Collection<Resources[K]>

  abstract transaction<T>(work: (store: Store) => Promise<T>): Promise<T>

  get writes(): readonly StoreWrite[] {
    return this.#writes
  }

  /** Makes later uses fail, so that a write that was not awaited is not lost silently. */
  end(): void {
    this.#isOver = true
  }

  subscribe(listener: ChangeListener): () => void {
    return this.#store.subscribe(listener)
  }

  beforeCommit(hook: BeforeCommitHook): () => void {
    return this.#store.beforeCommit(hook)
  }

  auditLog(): Promise<AuditLog> {
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

  /** @throws when the transaction has ended. */
  protected assertActive(name: keyof Resources): void {
    if (this.#isOver) throw new Error(`${name} was used after its transaction; await each call inside the transaction`)
  }

  /** @throws when a transaction with the writes so far may not write to a collection. */
  protected assertMayWrite(name: keyof Resources): void {
    const first = this.#writes[0]?.collection
    if (first && isUserData(first) !== isUserData(name)) {
      throw new Error(`one transaction writes ${first} and ${name}; user data need a transaction of their own`)
    }
  }

  protected record<K extends keyof Resources>(
    collection: K,
    items: { readonly before?: Resources[K]; readonly after?: Resources[K] }
  ): void {
    // `before` and `after` are items of this collection.
    this.#writes.push({ collection, ...items } as StoreWrite)
  }

  /** Drops the writes after the first `count`. */
  protected dropWrites(count: number): void {
    this.#writes.length = count
  }
}
