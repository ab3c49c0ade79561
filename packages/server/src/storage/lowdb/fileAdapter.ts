import { readFile } from 'node:fs/promises'
import { writeFileAtomic } from '@burgee/kit/files'
import type { Adapter } from 'lowdb'
import { reasonOf } from '../../lib/reasonOf.ts'
import type { AuditLog } from '../auditLog.ts'
import type { StoredEncryption } from '../encryption/dataKey.ts'
import { EncryptedValueError, type ItemCodec } from '../encryption/itemCodec.ts'
import { type EncryptionOptions, type OpenedEncryption, openEncryption } from '../encryption/openEncryption.ts'
import { latestVersion, migrate } from '../migrations/migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import { historyCollections } from '../resources/collections.ts'
import type { StoreWrite } from '../store.ts'
import { RESTORE_BACKUP, storeOpenError } from '../storeOpenError.ts'
import { deepFreeze } from '../tables/deepFreeze.ts'
import {
  buildState,
  type FlagDataCollection,
  flagDataCollections,
  type StoreItems,
  type StoreState
} from '../tables/storeState.ts'
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
  readonly #options: EncryptionOptions
  readonly #onNotice: (message: string) => void
  #durable: DurableState = { state: buildState({}), revision: 0, historyLength: 0 }
  #encryption: OpenedEncryption | undefined
  /** The encoded items, so that a commit encrypts only those that it changes. */
  readonly #encoded = new WeakMap<object, object>()
  /** Whether the file may be newer than `#durable`, since a failed write may have reached the rename. */
  #isUncertain = false

  constructor(
    path: string,
    history: HistoryFile,
    migrations: readonly Migration[],
    encryption: EncryptionOptions,
    onNotice: (message: string) => void
  ) {
    this.#path = path
    this.#history = history
    this.#migrations = migrations
    this.#options = encryption
    this.#onNotice = onNotice
  }

  /** Creates the file of an empty store. */
  async create(): Promise<void> {
    await this.#replace({ ...this.#durable, revision: 1 })
  }

  /**
   * Reads the document and the history. Copies a document of an older schema version, then replaces it. Rewrites a
   * document whose secrets are not encrypted according to the options.
   */
  async read(): Promise<StoreState> {
    const bytes = await readFile(this.#path)
    const newest = latestVersion(this.#migrations)
    const { schemaVersion, revision, historyLength, encryption, data } = parseDocument(this.#path, bytes, newest)
    // Fails without the right key, before anything is written.
    const opened = openEncryption(this.#path, encryption, this.#options)
    this.#encryption = opened
    const copy = `${this.#path}.v${schemaVersion}.bak`
    const isOlder = schemaVersion < newest
    if (isOlder) await writeFileAtomic(copy, bytes.toString())
    const written = isOlder ? this.#migrate(data, schemaVersion, copy) : data
    const { state: flags, hasOutdatedSecrets } = this.#stateOf(written, opened.codec)
    const past = buildState(await this.#history.open(historyLength))
    const state = { ...flags, ...Object.fromEntries(historyCollections.map((name) => [name, past[name]])) }
    this.#durable = { state, revision, historyLength, encryption: opened.interim }
    if (isOlder || hasOutdatedSecrets || opened.interim !== encryption) await this.write(state)
    if (hasOutdatedSecrets && opened.interim === encryption) {
      this.#onNotice(`${this.#path} had secrets that were not encrypted with the current data key; they are now`)
    }
    if (isOlder) {
      this.#onNotice(
        `${this.#path} was migrated from schema version ${schemaVersion} to ${newest}; ${copy} is a copy of the old file`
      )
    }
    return state
  }

  /** The encryption of secrets. Requires a previous `read`. */
  get encryption(): OpenedEncryption {
    if (!this.#encryption) throw new Error('the document was not read yet')
    return this.#encryption
  }

  /** Drops the previous data keys, once the other files have been rewritten. */
  async settleEncryption(): Promise<void> {
    const { interim, final, notices } = this.encryption
    if (final !== interim) {
      this.#durable = { ...this.#durable, encryption: final }
      await this.write(this.#durable.state)
    }
    for (const notice of notices) this.#onNotice(notice)
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
    const { revision, historyLength, encryption } = this.#durable
    const newLength = await this.#history.append(transactions, historyLength)
    await this.#replace({ state, revision: revision + 1, historyLength: newLength, encryption }, assertOwned)
  }

  /** Returns the committed audit log: the part of the history that the document refers to. */
  auditLog(): AuditLog {
    const { state, historyLength } = this.#durable
    return {
      organizations: [...state.organizations.items.values()],
      entries: this.#history.entries(historyLength),
      findUncounted: () => this.#history.findUncounted(() => this.#durable.historyLength)
    }
  }

  async close(): Promise<void> {
    await this.#history.close()
  }

  async #replace(next: DurableState, assertOwned?: () => Promise<void>): Promise<void> {
    const { state, revision, historyLength, encryption } = next
    const schemaVersion = latestVersion(this.#migrations)
    const data = Object.fromEntries(flagDataCollections.map((name) => [name, this.#encodeAll(name, state)]))
    const text = formatDocument({ schemaVersion, revision, historyLength, encryption, data })
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

  #encodeAll<K extends FlagDataCollection>(name: K, state: StoreState): readonly object[] {
    // Without a codec, the store is new and empty.
    const { codec } = this.#encryption ?? {}
    return [...state[name].items.values()].map((item) => {
      const encoded = this.#encoded.get(item) ?? codec?.encode(name, item) ?? item
      if (encoded !== item) this.#encoded.set(item, encoded)
      return encoded
    })
  }

  #stateOf(data: unknown, codec: ItemCodec): { readonly state: StoreState; readonly hasOutdatedSecrets: boolean } {
    try {
      let hasOutdatedSecrets = false
      const items = parseItems(data)
      const decode = <K extends FlagDataCollection>(name: K) =>
        [...(items[name] ?? [])].map((item) => {
          const decoded = codec.decode(name, item)
          if (codec.isOutdated(name, item)) hasOutdatedSecrets = true
          else if (decoded !== item) this.#encoded.set(decoded, item)
          return decoded
        })
      const state = buildState(Object.fromEntries(flagDataCollections.map((name) => [name, decode(name)])))
      return { state, hasOutdatedSecrets }
    } catch (cause) {
      if (cause instanceof EncryptedValueError) {
        throw storeOpenError(this.#path, `was changed outside the server: ${cause.message}`, RESTORE_BACKUP, cause)
      }
      throw storeOpenError(this.#path, `does not have the shape of a store: ${reasonOf(cause)}`, RESTORE_BACKUP, cause)
    }
  }
}

/** The known content of the files. */
interface DurableState {
  readonly state: StoreState
  readonly revision: number
  readonly historyLength: number
  readonly encryption?: StoredEncryption | undefined
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
