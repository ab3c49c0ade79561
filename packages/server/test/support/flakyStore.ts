import type { AuditLog } from '../../src/storage/auditLog.ts'
import type { Resources } from '../../src/storage/resources/collections.ts'
import {
  type BeforeCommitHook,
  type ChangeListener,
  type Collection,
  type Store,
  StoreUnavailableError
} from '../../src/storage/store.ts'

/** A store whose writes fail while a test says so. */
export class FlakyStore implements Store {
  readonly #store: Store
  isDown = false

  constructor(store: Store) {
    this.#store = store
  }

  collection<K extends keyof Resources>(name: K): Collection<Resources[K]> {
    const collection = this.#store.collection(name)
    return {
      get: collection.get,
      list: collection.list,
      scan: collection.scan,
      insert: (item) => this.#unlessDown(() => collection.insert(item)),
      update: (id, members) => this.#unlessDown(() => collection.update(id, members)),
      remove: (id) => this.#unlessDown(() => collection.remove(id))
    }
  }

  transaction<T>(work: (store: Store) => Promise<T>): Promise<T> {
    return this.#unlessDown(() => this.#store.transaction(work))
  }

  subscribe(listener: ChangeListener): () => void {
    return this.#store.subscribe(listener)
  }

  beforeCommit(companion: BeforeCommitHook): () => void {
    return this.#store.beforeCommit(companion)
  }

  auditLog(): Promise<AuditLog> {
    return this.#store.auditLog()
  }

  purgeUserData(): Promise<void> {
    return this.#unlessDown(() => this.#store.purgeUserData())
  }

  isWritable(): boolean {
    return !this.isDown
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  async #unlessDown<T>(write: () => Promise<T>): Promise<T> {
    if (this.isDown) throw new StoreUnavailableError('the store could not write: on purpose')
    return write()
  }
}
