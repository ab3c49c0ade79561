import { reasonOf } from '../../lib/reasonOf.ts'
import type { BeforeCommitHook, Change, ChangeListener, Store } from '../store.ts'
import type { DraftStore } from './draftStore.ts'
import { WriteScopes } from './writeScopes.ts'

/** The listeners and `beforeCommit` hooks of a store, and the guard against writes that would wait for themselves. */
export class StoreObservers {
  readonly #onNotice: (message: string) => void
  readonly #listeners = new Set<{ readonly listener: ChangeListener }>()
  readonly #hooks = new Set<{ readonly hook: BeforeCommitHook }>()
  readonly #scopes = new WriteScopes()

  constructor(onNotice: (message: string) => void) {
    this.#onNotice = onNotice
  }

  subscribe(listener: ChangeListener): () => void {
    const subscription = { listener }
    this.#listeners.add(subscription)
    return () => this.#listeners.delete(subscription)
  }

  beforeCommit(hook: BeforeCommitHook): () => void {
    const registration = { hook }
    this.#hooks.add(registration)
    return () => this.#hooks.delete(registration)
  }

  /** @throws when the caller is part of a transaction or listener in progress. */
  assertMayWrite(): void {
    this.#scopes.assertNone()
  }

  /** Runs the work of a transaction and the hooks, which can add writes. Each hook sees the writes before it. */
  runWork<T>(draft: DraftStore, work: (store: Store) => Promise<T>): Promise<T> {
    return this.#scopes.run(IN_TRANSACTION, async () => {
      const result = await work(draft)
      for (const { hook } of this.#hooks) {
        if (draft.writes.length > 0) await hook({ writes: [...draft.writes] }, draft)
      }
      return result
    })
  }

  /** Calls the listeners one after another. Their errors affect neither the write nor each other. */
  async notify(change: Change): Promise<void> {
    for (const { listener } of [...this.#listeners]) {
      try {
        await this.#scopes.run(IN_LISTENER, () => listener(change))
      } catch (error) {
        this.#onNotice(`a listener failed after a change was stored: ${reasonOf(error)}`)
      }
    }
  }
}

const IN_TRANSACTION =
  'this write is part of a transaction in progress: use the store that the transaction or hook receives'
const IN_LISTENER =
  'a listener cannot write to the store that calls it: write once the listener has returned, or in a beforeCommit hook'
