import { readFile } from 'node:fs/promises'
import { writeFileAtomic } from '@burgee/kit/files'
import type { Adapter } from 'lowdb'
import { reasonOf } from '../../lib/reasonOf.ts'
import type { AuditLog } from '../auditLog.ts'
import { latestVersion, migrate } from '../migrations/migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import { historyCollections } from '../resources/collections.ts'
import type { StoreWrite } from '../store.ts'
import { RESTORE_BACKUP, storeOpenError } from '../storeOpenError.ts'
import { deepFreeze } from '../tables/deepFreeze.ts'
import { buildState, flagDataCollections, type StoreItems, type StoreState } from '../tables/storeState.ts'
import { isItem } from '../tables/table.ts'
import type { HistoryFile } from './historyFile.ts'
import { formatDocument, parseDocument } from './storeDocument.ts'

/**
 * The lowdb adapter of all collections except the user data: writes durably, and rejects damaged files. `db.json` is
 * the commit point: it contains the flag data, and the length of the valid part of the history file beside it.
 */
export class FileAdapter implements Adapter<StoreState> {
  readonly #path: string
  readonly #history: HistoryFile
  readonly #migrations: readonly Migration[]
  readonly #onNotice: (message: string) => void
  #durable: DurableState = { state: buildState({}), revision: 0, historyLength: 0 }
  /** Whether the file may be newer than `#durable`, since a failed write may have reached the rename. */
  #isUncertain = false

  constructor(
    path: string,
    history: HistoryFile,
    migrations: readonly Migration[],
    onNotice: (message: string) => void
  ) {
    this.#path = path
    this.#history = history
    this.#migrations = migrations
    this.#onNotice = onNotice
  }

  /** Creates the file of an empty store. */
  async create(): Promise<void> {
    await this.#replace({ ...this.#durable, revision: 1 })
  }

  /** Reads the document and the history. Copies a document of an older schema version, then replaces it. */
  async read(): Promise<StoreState> {
    const bytes = await readFile(this.#path)
    const newest = latestVersion(this.#migrations)
    const { schemaVersion, revision, historyLength, data } = parseDocument(this.#path, bytes, newest)
    const copy = `${this.#path}.v${schemaVersion}.bak`
    const isOlder = schemaVersion < newest
    if (isOlder) await writeFileAtomic(copy, bytes.toString())
    const flags = this.#stateOf(isOlder ? this.#migrate(data, schemaVersion, copy) : data)
    const past = buildState(await this.#history.open(historyLength))
    const state = { ...flags, ...Object.fromEntries(historyCollections.map((name) => [name, past[name]])) }
    this.#durable = { state, revision, historyLength }
    if (isOlder) {
      await this.write(state)
      this.#onNotice(
        `${this.#path} was migrated from schema version ${schemaVersion} to ${newest}; ${copy} is a copy of the old file`
      )
    }
    return state
  }

  /**
   * Makes a state durable, together with the history writes of the transactions that led to it.
   * @param assertOwned Runs right before the file is replaced, since the preceding writes can take long.
   */
  async write(
    state: StoreState,
    transactions: readonly (readonly StoreWrite[])[] = [],
    assertOwned?: () => Promise<void>
  ): Promise<void> {
    // As long as a crash may leave the newer document, the history that it refers to must not be cut off.
    if (this.#isUncertain) await this.#replace(this.#durable, assertOwned)
    const { revision, historyLength } = this.#durable
    const newLength = await this.#history.append(transactions, historyLength)
    await this.#replace({ state, revision: revision + 1, historyLength: newLength }, assertOwned)
  }

  /** Returns the committed audit log: the part of the history that the document refers to. */
  auditLog(): AuditLog {
    const { state, historyLength } = this.#durable
    return { organizations: [...state.organizations.items.values()], entries: this.#history.entries(historyLength) }
  }

  async close(): Promise<void> {
    await this.#history.close()
  }

  async #replace(next: DurableState, assertOwned?: () => Promise<void>): Promise<void> {
    const { state, revision, historyLength } = next
    const schemaVersion = latestVersion(this.#migrations)
    const data = Object.fromEntries(flagDataCollections.map((name) => [name, [...state[name].items.values()]]))
    const text = formatDocument({ schemaVersion, revision, historyLength, data })
    this.#isUncertain = true
    await writeFileAtomic(this.#path, text, { beforeRename: assertOwned })
    this.#isUncertain = false
    this.#durable = next
  }

  #migrate(data: unknown, schemaVersion: number, copy: string): unknown {
    try {
      return migrate(data, schemaVersion, this.#migrations)
    } catch (cause) {
      const problem = `could not be migrated from schema version ${schemaVersion} to ${latestVersion(this.#migrations)}`
      throw storeOpenError(
        this.#path,
        problem,
        `it is unchanged (and copied to ${copy}); start the version of Burgee that wrote it`,
        cause
      )
    }
  }

  #stateOf(data: unknown): StoreState {
    try {
      return buildState(parseItems(data))
    } catch (cause) {
      throw storeOpenError(this.#path, `does not have the shape of a store: ${reasonOf(cause)}`, RESTORE_BACKUP, cause)
    }
  }
}

/** The known content of the files. */
interface DurableState {
  readonly state: StoreState
  readonly revision: number
  readonly historyLength: number
}

function parseItems(data: unknown): StoreItems {
  if (typeof data !== 'object' || data === null) throw new Error('its data are not an object')
  const collections = new Map<string, unknown>(Object.entries(data))
  for (const name of flagDataCollections) {
    const items = collections.get(name)
    if (!Array.isArray(items)) throw new Error(`its ${name} are not a list`)
    if (!items.every(isItem)) throw new Error(`its ${name} are not all items with an _id`)
    collections.delete(name)
  }
  if (collections.size > 0)
    throw new Error(`its data have the unknown collections ${[...collections.keys()].join(', ')}`)
  // Each collection is a list of items, and the checksum proves that this program wrote their members.
  return deepFreeze(data) as StoreItems
}
