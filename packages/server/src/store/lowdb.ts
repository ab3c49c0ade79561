import type { Low } from 'lowdb'
import { GroupCommit } from '../disk/groupCommit.ts'
import type { AuditLog } from './auditLog.ts'
import { Draft } from './draft.ts'
import type { FileAdapter } from './fileAdapter.ts'
import type { Journal } from './journal.ts'
import type { OwnerLock } from './ownerLock.ts'
import { select } from './query.ts'
import type { Resources, StoredAuditEntry } from './resources.ts'
import { isUserData, type State } from './state.ts'
import {
  type Change,
  type Collection,
  type Companion,
  type Listener,
  type Store,
  StoreUnavailableError,
  type Write
} from './store.ts'
import { find } from './table.ts'

/**
 * The store that keeps everything in memory and, given a disk, makes each write durable before anybody sees it.
 * `low.data` is the durable state. lowdb's own `write` would show a change first and keep it when writing fails,
 * so a commit goes to the adapter and reaches `low.data` after that.
 */
export class LowdbStore implements Store {
  readonly #low: Low<State>
  readonly #disk: Disk | undefined
  readonly #onNotice: (message: string) => void
  readonly #listeners = new Set<{ readonly listener: Listener }>()
  readonly #companions = new Set<{ readonly companion: Companion }>()
  readonly #commits = new GroupCommit<Commit>(
    (batch) => this.#commit(batch),
    (first, next) => first.era === next.era && first.home === next.home
  )
  /** What the next transaction starts from; `durable` settles once this state is durable or dropped. */
  #head: { readonly state: State; readonly durable: Promise<void> }
  /** Ends when the last transaction that was asked for has done its work. */
  #turn: Promise<void> = Promise.resolve()
  /** Grows with each failed commit, which drops everything that was computed on top of it. */
  #era = 0
  /** What ended the last era. */
  #dropped: StoreUnavailableError | undefined
  /** Where the last write failed. */
  readonly #failing = new Set<Home>()
  #probing: NodeJS.Timeout | undefined
  #closed: Promise<void> | undefined

  constructor(low: Low<State>, onNotice: (message: string) => void, disk?: Disk) {
    this.#low = low
    this.#onNotice = onNotice
    this.#disk = disk
    this.#head = { state: low.data, durable: Promise.resolve() }
  }

  collection<K extends keyof Resources>(name: K): Collection<Resources[K]> {
    return {
      get: async (match) => find(this.#low.data[name], match),
      list: async (query) => select(this.#low.data[name], query),
      insert: (item) => this.transaction((store) => store.collection(name).insert(item)),
      update: (id, members) => this.transaction((store) => store.collection(name).update(id, members)),
      remove: (id) => this.transaction((store) => store.collection(name).remove(id))
    }
  }

  async transaction<T>(work: (store: Store) => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw new Error('the store is closed; open it again to write')
    const endTurn = await this.#takeTurn()
    const { state, durable } = this.#head
    const era = this.#era
    const draft = new Draft(this, state)
    try {
      const result = await work(draft)
      await this.#join(draft)
      return this.#propose(draft, era, durable).then(() => result)
    } catch (error) {
      // An error may rest on what is not durable yet: a key that is taken only until the write that took it fails.
      return durable.then(() => Promise.reject(error))
    } finally {
      // Not waiting for the disk here is what lets the next transaction share this one's commit.
      draft.end()
      endTurn()
    }
  }

  subscribe(listener: Listener): () => void {
    const subscription = { listener }
    this.#listeners.add(subscription)
    return () => this.#listeners.delete(subscription)
  }

  accompany(companion: Companion): () => void {
    const accompaniment = { companion }
    this.#companions.add(accompaniment)
    return () => this.#companions.delete(accompaniment)
  }

  auditLog(): AuditLog {
    if (this.#disk) return this.#disk.document.auditLog()
    const { organizations, auditEntries } = this.#low.data
    return { organizations: [...organizations.items.values()], entries: inOrder(auditEntries.items.values()) }
  }

  isWritable(): boolean {
    return this.#failing.size === 0
  }

  close(): Promise<void> {
    this.#closed ??= this.#release()
    return this.#closed
  }

  /** Waits until every transaction asked for earlier has done its work; the answer lets the next one begin. */
  async #takeTurn(): Promise<() => void> {
    const before = this.#turn
    let end = () => {}
    this.#turn = new Promise((resolve) => {
      end = resolve
    })
    await before
    return end
  }

  /** Lets companions add what belongs with the writes of a transaction: each sees those before it. */
  async #join(draft: Draft): Promise<void> {
    for (const { companion } of this.#companions) {
      if (draft.writes.length > 0) await companion({ writes: [...draft.writes] }, draft)
    }
  }

  #propose({ state, writes }: Draft, era: number, durable: Promise<void>): Promise<void> {
    if (era !== this.#era) return Promise.reject(this.#dropped)
    if (writes.length === 0) return durable
    const committed = this.#commits.add({ state, writes, era, home: homeOf(writes) })
    this.#head = { state, durable: committed }
    return committed
  }

  async #commit(batch: readonly Commit[]): Promise<void> {
    const [first] = batch
    if (first?.era !== this.#era) throw this.#dropped
    try {
      await this.#persist(batch, first.home)
    } catch (cause) {
      throw this.#drop(cause, first.home)
    }
    if (this.#failing.delete(first.home) && this.#failing.size === 0) this.#onNotice('the store can write again')
    for (const { state, writes } of batch) {
      this.#low.data = state
      if (writes.length === 0) continue
      await this.#tell({ writes })
    }
  }

  async #persist(batch: readonly Commit[], home: Home): Promise<void> {
    if (!this.#disk) return
    const { document, journal, lock } = this.#disk
    await lock.check()
    const transactions = batch.map(({ writes }) => writes).filter((writes) => writes.length > 0)
    if (home === 'users') await journal.append(transactions, this.#low.data)
    else await document.write(batch.at(-1)?.state ?? this.#low.data, transactions)
  }

  /** Goes back to the durable state: nothing of what failed, or of what was computed on top of it, is kept. */
  #drop(cause: unknown, home: Home): StoreUnavailableError {
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.#dropped = new StoreUnavailableError(`the store could not write, so nothing was changed: ${reason}`, { cause })
    this.#era++
    this.#head = { state: this.#low.data, durable: Promise.resolve() }
    if (this.#failing.size === 0) this.#onNotice(this.#dropped.message)
    this.#failing.add(home)
    this.#probing ??= setInterval(() => this.#probe(), PROBE).unref()
    return this.#dropped
  }

  /** Writes nothing new to the homes that fail, until that works: a store that nobody writes to is found healthy once it is. */
  #probe(): void {
    if (this.#failing.size === 0 || this.#closed !== undefined) {
      clearInterval(this.#probing)
      this.#probing = undefined
      return
    }
    for (const home of this.#failing) {
      const { state } = this.#head
      const durable = this.#commits.add({ state, writes: [], era: this.#era, home })
      this.#head = { state, durable }
      durable.catch(() => {})
    }
  }

  async #tell(change: Change): Promise<void> {
    for (const { listener } of [...this.#listeners]) {
      try {
        await listener(change)
      } catch (error) {
        this.#onNotice(`a listener failed after a change was stored: ${String(error)}`)
      }
    }
  }

  async #release(): Promise<void> {
    await this.#turn
    await this.#commits.idle()
    if (!this.#disk) return
    const { document, journal, lock } = this.#disk
    await journal
      .close()
      .finally(() => document.close())
      .finally(() => lock.release())
  }
}

/** How often a store that cannot write tries to, in milliseconds. */
const PROBE = 2_000

/** What a store on disk writes to. */
export interface Disk {
  readonly document: FileAdapter
  readonly journal: Journal
  readonly lock: OwnerLock
}

/** What one transaction came to, on its way to the disk. */
interface Commit {
  readonly state: State
  readonly writes: readonly Write[]
  readonly era: number
  readonly home: Home
}

/** Where writes become durable: the journal of user data, or the document with its history. */
type Home = 'users' | 'rest'

/** A transaction writes to one home only. */
function homeOf([first]: readonly Write[]): Home {
  return first && isUserData(first.collection) ? 'users' : 'rest'
}

/** Entries of memory in the order in which they were written. */
async function* inOrder(entries: Iterable<StoredAuditEntry>): AsyncGenerator<StoredAuditEntry, void> {
  yield* [...entries].sort((one, other) => (one.position ?? 0) - (other.position ?? 0))
}
