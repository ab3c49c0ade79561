import { every, type PeriodicJob, serialize } from '@burgee/kit'
import type { Low } from 'lowdb'
import { reasonOf } from '../../lib/reasonOf.ts'
import type { AuditLog } from '../auditLog.ts'
import { GroupCommit } from '../disk/groupCommit.ts'
import type { OnNotice } from '../onNotice.ts'
import type { Resources } from '../resources/collections.ts'
import type { StoredAuditEntry } from '../resources/history.ts'
import {
  type BeforeCommitHook,
  type ChangeListener,
  type Collection,
  type Store,
  StoreUnavailableError,
  type StoreWrite,
  UncertainWriteError
} from '../store.ts'
import { createRowBuilder, type LoadEntries, loadWholeEntries } from '../tables/historyRow.ts'
import { createReads } from '../tables/reads.ts'
import { isUserData, type StoreState } from '../tables/storeState.ts'
import { StoreObservers } from '../transactions/storeObservers.ts'
import type { DeferredWrites } from './deferredWrites.ts'
import type { FileAdapter } from './fileAdapter.ts'
import type { HistoryFile } from './history/historyFile.ts'
import type { Journal } from './journal.ts'
import type { DirectoryLock } from './lock/directoryLock.ts'
import { TransactionStore } from './transactionStore.ts'

/**
 * A store in memory that, given a disk, makes each write durable before it becomes visible (ADR 1). `low.data` is the
 * durable state. `write` of lowdb would make a change visible first, and keep it if writing fails. So commits go to the
 * adapter first, and to `low.data` afterwards.
 */
export class LowdbStore implements Store {
  /** Its directory; `undefined` in memory. */
  readonly location: string | undefined
  readonly #low: Low<StoreState>
  readonly #disk: DiskStorage | undefined
  readonly #onNotice: (message: string) => void
  readonly #load: LoadEntries
  readonly #toRow = createRowBuilder()
  readonly #observers: StoreObservers
  readonly #commits = new GroupCommit<Commit>(
    (batch) => this.#commit(batch),
    (first, next) => first.epoch === next.epoch && first.domain === next.domain
  )
  /** The state that the next transaction starts from; `durable` settles when it is durable or dropped. */
  #head: { readonly state: StoreState; readonly durable: Promise<void> }
  /** Runs the work of one transaction at a time. */
  readonly #queue = serialize()
  /** Incremented by each failed commit, which drops all transactions that saw its writes. */
  #epoch = 0
  /** The error of the last failed commit. */
  #dropped: StoreUnavailableError | undefined
  /** The domains whose last write failed. */
  readonly #failing = new Set<WriteDomain>()
  #probing: PeriodicJob | undefined
  /** Settles when the last purge has ended. */
  #purged: Promise<void> | undefined
  #closed: Promise<void> | undefined

  constructor(low: Low<StoreState>, onNotice: (message: string) => void, disk?: DiskStorage) {
    this.#low = low
    this.#onNotice = onNotice
    this.#observers = new StoreObservers(onNotice)
    this.#disk = disk
    this.#load = disk?.history.load ?? loadWholeEntries
    this.location = disk?.directory
    this.#head = { state: low.data, durable: Promise.resolve() }
    const failure = disk?.deferredWrites.failure
    if (failure !== undefined) {
      disk?.onWriteFailure(`the store cannot be written, so it starts with the data on the disk: ${reasonOf(failure)}`)
      this.#noteFailure('rest')
    }
    this.#warnOfSize()
  }

  collection<K extends keyof Resources>(name: K): Collection<Resources[K]> {
    return {
      ...createReads(name, () => this.#low.data, this.#load),
      insert: (item) => this.transaction((store) => store.collection(name).insert(item)),
      update: (id, members) => this.transaction((store) => store.collection(name).update(id, members)),
      remove: (id) => this.transaction((store) => store.collection(name).remove(id))
    }
  }

  async transaction<T>(work: (store: Store) => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw new Error('the store is closed; open it again to write')
    const lost = this.#disk?.lock.lost
    if (lost) throw new StoreUnavailableError(lost.message, { cause: lost })
    this.#observers.assertMayWrite()
    // Wrapped in an object, so that the queue does not wait for the disk: the next transaction can share this commit.
    const { durable } = await this.#queue(() => this.#run(work))
    return durable
  }

  subscribe(listener: ChangeListener): () => void {
    return this.#observers.subscribe(listener)
  }

  beforeCommit(hook: BeforeCommitHook): () => void {
    return this.#observers.beforeCommit(hook)
  }

  async auditLog(): Promise<AuditLog> {
    if (this.#disk) return this.#disk.document.auditLog()
    const { organizations, auditEntries } = this.#low.data
    return {
      organizations: [...organizations.items.values()],
      entries: byPosition(await this.#load([...auditEntries.items.values()])),
      findUncounted: async () => undefined
    }
  }

  async purgeUserData(): Promise<void> {
    if (this.#closed !== undefined) throw new Error('the store is closed; open it again to purge it')
    if (!this.#disk) return
    // A commit of its own kind, so that it is written in the order of the transactions.
    const { state } = this.#head
    await this.#commits.add({ state, writes: [], epoch: this.#epoch, domain: 'users', isPurge: true })
    await this.#purged?.catch((cause: unknown) => {
      throw new StoreUnavailableError(`the store could not be purged: ${reasonOf(cause)}`, { cause })
    })
  }

  isWritable(): boolean {
    return this.#failing.size === 0 && this.#disk?.lock.lost === undefined
  }

  /** No other process has the store open. */
  async follow(): Promise<void> {}

  runExclusively(_name: string, start: () => Promise<() => Promise<void>>): Promise<() => Promise<void>> {
    return start()
  }

  get mayHaveFormerOwner(): boolean {
    return this.#disk?.lock.mayHaveFormerOwner === true
  }

  async assertOwned(): Promise<void> {
    await this.#disk?.lock.assertHeld()
  }

  close(): Promise<void> {
    this.#closed ??= this.#release()
    return this.#closed
  }

  /** Runs the work of a transaction and its hooks. The result is final when `durable` resolves. */
  async #run<T>(work: (store: Store) => Promise<T>): Promise<{ readonly durable: Promise<T> }> {
    const { state, durable } = this.#head
    const epoch = this.#epoch
    const draft = new TransactionStore(this, state, { load: this.#load, toRow: this.#toRow })
    try {
      const result = await this.#observers.runWork(draft, work)
      return { durable: this.#propose(draft, epoch, durable).then(() => result) }
    } catch (error) {
      // The error may be due to a write that is not durable yet: a key is taken only until the write that took it
      // fails.
      return { durable: durable.then(() => Promise.reject(error)) }
    } finally {
      draft.end()
    }
  }

  #propose({ state, writes }: TransactionStore, epoch: number, durable: Promise<void>): Promise<void> {
    if (epoch !== this.#epoch) return Promise.reject(this.#dropped)
    if (writes.length === 0) return durable
    const committed = this.#commits.add({ state, writes, epoch, domain: writeDomainOf(writes) })
    this.#head = { state, durable: committed }
    return committed
  }

  async #commit(batch: readonly Commit[]): Promise<void> {
    const [first] = batch
    if (first?.epoch !== this.#epoch) throw this.#dropped
    try {
      await this.#persist(batch, first.domain)
    } catch (cause) {
      throw this.#drop(cause, first.domain)
    }
    if (this.#failing.delete(first.domain) && this.#failing.size === 0) this.#onNotice('the store can write again')
    for (const { state, writes } of batch) {
      const before = featureCount(this.#low.data)
      this.#low.data = state
      if (before < MANY_FEATURES) this.#warnOfSize()
      if (writes.length === 0) continue
      await this.#observers.notify({ writes })
    }
  }

  async #persist(batch: readonly Commit[], domain: WriteDomain): Promise<void> {
    if (!this.#disk) return
    const { document, journal, deferredWrites } = this.#disk
    await deferredWrites.flush()
    const transactions = batch.map(({ writes }) => writes).filter((writes) => writes.length > 0)
    const state = batch.at(-1)?.state ?? this.#low.data
    if (domain === 'users') {
      await journal.append(transactions, this.#low.data)
      if (batch.some(({ isPurge }) => isPurge)) {
        await journal.purge(state)
        // Not awaited: later commits can go on meanwhile.
        this.#purged = (await document.purge()).done
      }
    } else await document.commit(state, transactions)
  }

  /** Reverts to the durable state, which drops the failed writes and all transactions that saw them. */
  #drop(cause: unknown, domain: WriteDomain): StoreUnavailableError {
    const reason = reasonOf(cause)
    this.#dropped =
      cause instanceof UncertainWriteError
        ? new UncertainWriteError(`the store lost its directory while it wrote: ${reason}`, { cause })
        : new StoreUnavailableError(`the store could not write, so nothing was changed: ${reason}`, { cause })
    this.#epoch++
    this.#head = { state: this.#low.data, durable: Promise.resolve() }
    if (this.#failing.size === 0) (this.#disk?.onWriteFailure ?? this.#onNotice)(this.#dropped.message)
    this.#noteFailure(domain)
    return this.#dropped
  }

  #noteFailure(domain: WriteDomain): void {
    this.#failing.add(domain)
    this.#probing ??= every(PROBE_MS, () => this.#probe(), { onError: () => {} })
  }

  #warnOfSize(): void {
    const count = featureCount(this.#low.data)
    if (!this.#disk || count < MANY_FEATURES) return
    this.#onNotice(
      `${this.#disk.directory} has ${count} features; a store in a directory is made for up to ${MANY_FEATURES}, and its limit is ${MAX_FEATURES}: use PostgreSQL for more`
    )
  }

  /** Writes the current state to the failing domains, so that a store without other writes recovers too. */
  #probe(): void {
    if (this.#failing.size === 0 || this.#closed !== undefined) {
      void this.#probing?.stop()
      this.#probing = undefined
      return
    }
    for (const domain of this.#failing) {
      const { state } = this.#head
      const durable = this.#commits.add({ state, writes: [], epoch: this.#epoch, domain })
      this.#head = { state, durable }
      durable.catch(() => {})
    }
  }

  async #release(): Promise<void> {
    await this.#queue.idle()
    await this.#commits.idle()
    if (!this.#disk) return
    const { document, journal, lock } = this.#disk
    await document
      .checkpoint()
      .then(() =>
        lock.assertHeld().then(
          () => journal.checkpoint(),
          () => {}
        )
      )
      .finally(() => journal.close())
      .finally(() => document.close())
      .finally(() => lock.release())
  }
}

/** The number of features at which a store in a directory starts to warn, and the published limit. */
const MANY_FEATURES = 5_000
const MAX_FEATURES = 10_000

function featureCount(state: StoreState): number {
  return state.features.items.size
}

/** How often a failing store tries to write, in milliseconds. */
const PROBE_MS = 2_000

/** The files of a store, and the lock on their directory. */
export interface DiskStorage {
  readonly directory: string
  readonly document: FileAdapter
  readonly history: HistoryFile
  readonly journal: Journal
  readonly lock: DirectoryLock
  /** The writes of the start that a full disk has prevented. */
  readonly deferredWrites: DeferredWrites
  /** Receives the first failure to write, until a write succeeds. */
  readonly onWriteFailure: OnNotice
}

/** A transaction that waits for the disk. */
interface Commit {
  readonly state: StoreState
  readonly writes: readonly StoreWrite[]
  readonly epoch: number
  readonly domain: WriteDomain
  /** Rewrites the journal without outdated records. */
  readonly isPurge?: boolean
}

/** The files that a transaction writes to: the journal of user data, or the commit log and the history. */
type WriteDomain = 'users' | 'rest'

/** All writes of a transaction have the same domain. */
function writeDomainOf([first]: readonly StoreWrite[]): WriteDomain {
  return first && isUserData(first.collection) ? 'users' : 'rest'
}

/** Sorts entries into the order of writing. */
async function* byPosition(entries: readonly StoredAuditEntry[]): AsyncGenerator<StoredAuditEntry, void> {
  yield* entries.toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
}
