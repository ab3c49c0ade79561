import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeFileAtomic } from '@burgee/kit/files'
import type { Adapter } from 'lowdb'
import { reasonOf } from '../../lib/reasonOf.ts'
import type { AuditLog } from '../auditLog.ts'
import { assertFreeSpace } from '../disk/diskFull.ts'
import type { StoredEncryption } from '../encryption/dataKey.ts'
import { type EncryptionOptions, type OpenedEncryption, openEncryption } from '../encryption/openEncryption.ts'
import { latestVersion, migrate } from '../migrations/migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import type { StoreWrite } from '../store.ts'
import { storeOpenError } from '../storeOpenError.ts'
import { buildState, type StoreState } from '../tables/storeState.ts'
import { buildTable } from '../tables/table.ts'
import type { DeferredWrites } from './deferredWrites.ts'
import { formatCommit } from './document/commitLine.ts'
import { CommitLog } from './document/commitLog.ts'
import { DocumentCodec } from './document/documentCodec.ts'
import { formatJournalLine } from './document/journalLine.ts'
import { replayCommits } from './document/replayCommits.ts'
import { runCompaction } from './document/runCompaction.ts'
import { formatDocument, parseDocument } from './document/storeDocument.ts'
import { formatHistory, type HistoryFile } from './history/historyFile.ts'

/**
 * The lowdb adapter of all collections except the user data: writes durably, and rejects damaged files. `db.json` is a
 * snapshot; the commits after it are in the commit log (ADR 85), and their audit entries also in the history file.
 */
export class FileAdapter implements Adapter<StoreState> {
  readonly #path: string
  readonly #history: HistoryFile
  readonly #commits: CommitLog
  readonly #options: FileAdapterOptions
  readonly #onNotice: (message: string) => void
  #durable: DurableState = { state: buildState({}), revision: 0, historyLength: 0 }
  #encryption: OpenedEncryption | undefined
  readonly #codec: DocumentCodec
  /** The bytes of commits that start a compaction. */
  #compactionLimit = MIN_COMPACTION_BYTES
  #compaction: Promise<void> | undefined
  readonly #assertOwned: () => Promise<void>

  constructor(path: string, history: HistoryFile, options: FileAdapterOptions, onNotice: (message: string) => void) {
    this.#path = path
    this.#history = history
    this.#codec = new DocumentCodec(path)
    this.#options = options
    this.#assertOwned = options.assertOwned
    this.#commits = new CommitLog(dirname(path), {
      assertOwned: this.#assertOwned,
      assertNotSuspended: options.assertNotSuspended,
      prepare: () => this.#history.prepare()
    })
    this.#onNotice = onNotice
  }

  /** Creates the file of an empty store. */
  async create(): Promise<void> {
    await this.#replace({ ...this.#durable, revision: 1 })
  }

  /**
   * Reads the document, the commits after it, and the history. Copies a document of an older schema version, then
   * replaces it. Rewrites a document whose secrets are not encrypted according to the options. Writes that a full
   * disk prevents are deferred; until they are done, no commit is possible.
   */
  async read(): Promise<StoreState> {
    const bytes = await readFile(this.#path)
    const newest = latestVersion(this.#options.migrations)
    const snapshot = parseDocument(this.#path, bytes, newest)
    // Fails without the right key, before anything is written.
    const opened = openEncryption(this.#path, snapshot.encryption, this.#options.encryption)
    this.#encryption = opened
    const { document, historyLines, tornBytes } = await replayCommits(this.#path, snapshot)
    const { schemaVersion, revision, historyLength, data } = document
    const copy = `${this.#path}.v${schemaVersion}.bak`
    const isOlder = schemaVersion < newest
    const hasCommits = revision > snapshot.revision
    const { deferredWrites } = this.#options
    if (isOlder) {
      await deferredWrites.runOrDefer(() =>
        writeFileAtomic(copy, hasCommits ? formatDocument(document) : bytes.toString(), {
          beforeRename: this.#assertOwned
        })
      )
    }
    const written = isOlder ? this.#migrate(data, schemaVersion, deferredWrites.failure ? undefined : copy) : data
    const { state: flags, hasOutdatedSecrets } = this.#codec.decode(written, opened.codec)
    if (this.#options.mayHaveFormerOwner?.()) await this.#history.detach()
    const { rows, isComplete } = await this.#history.open(snapshot.historyLength, historyLines)
    const state = { ...flags, auditEntries: buildTable('auditEntries', rows) }
    this.#durable = { state, revision, historyLength, encryption: opened.interim }
    const isReencrypted = hasOutdatedSecrets || opened.interim !== snapshot.encryption
    const isOutdated = isOlder || isReencrypted || hasCommits || snapshot.isUnchecked || !isComplete
    if (tornBytes > 0) this.#onNotice(`${this.#path}: ignored ${tornBytes} bytes of an incomplete commit`)
    if (snapshot.isUnchecked) this.#onNotice(`${this.#path} had no checksum, and was accepted as it was edited`)
    await deferredWrites.runOrDefer(async (isDeferred) => {
      // Only when deferred, to avoid formatting a large document in vain. Some file systems report no free space.
      if (isDeferred && isOutdated) await assertFreeSpace(dirname(this.#path), bytes.length)
      if (isOutdated) await this.write(state)
      else await this.#commits.removeOutdated()
      if (hasOutdatedSecrets && opened.interim === snapshot.encryption) {
        this.#onNotice(`${this.#path} had secrets that were not encrypted with the current data key; they are now`)
      }
      if (!isOlder) return
      this.#onNotice(
        `${this.#path} was migrated from schema version ${schemaVersion} to ${newest}; ${copy} is a copy of the old file`
      )
    })
    return state
  }

  /** The encryption of secrets. Requires a previous `read`. */
  get encryption(): OpenedEncryption {
    if (!this.#encryption) throw new Error('the document was not read yet')
    return this.#encryption
  }

  /** Drops the previous data keys. Call it once the other files have been rewritten. */
  async finalizeEncryption(): Promise<void> {
    const { interim, final, notices } = this.encryption
    if (final !== interim) {
      this.#durable = { ...this.#durable, encryption: final }
      await this.write(this.#durable.state)
    }
    for (const notice of notices) this.#onNotice(notice)
  }

  /**
   * Makes the transactions that led from the durable state to this one durable, with their history. Without any, it
   * rejects unless one of ordinary size could be made durable.
   */
  async commit(state: StoreState, transactions: readonly (readonly StoreWrite[])[]): Promise<void> {
    const { encryption } = this.#durable
    const history = formatHistory(transactions, this.#durable.historyLength)
    const revision = this.#durable.revision + 1
    const historyLength = this.#durable.historyLength + Buffer.byteLength(history.lines)
    const codec = this.#encryption?.codec
    if (transactions.length === 0) await this.#commits.probe(revision)
    await this.#commits.append(revision, () => {
      const texts = transactions.map((writes) => formatJournalLine(writes, codec))
      return formatCommit(revision, historyLength, texts)
    })
    this.#durable = { state, revision, historyLength, encryption }
    this.#history.append(history, state)
    if (this.#commits.size > this.#compactionLimit) await this.#startCompaction()
  }

  /**
   * Removes replaced items from the files. Resolves when commits can continue; `done` settles when the files have none.
   */
  async purge(): Promise<{ readonly done: Promise<void> }> {
    await this.#compaction?.catch(() => {})
    if (this.#commits.size === 0) return { done: Promise.resolve() }
    if (this.#options.compactionProgram) await this.#startCompaction()
    else await this.write(this.#durable.state)
    return { done: this.#compaction ?? Promise.resolve() }
  }

  /** Replaces the document by a snapshot of a state, which contains all commits. */
  async write(state: StoreState): Promise<void> {
    await this.#history.prepare()
    await this.#history.sync()
    await this.#replace({ ...this.#durable, state })
    await this.#commits.rotate()
    await this.#commits.removeOutdated()
  }

  /** Returns the committed audit log: the part of the history that commits refer to. */
  auditLog(): AuditLog {
    const { state, historyLength } = this.#durable
    return {
      organizations: [...state.organizations.items.values()],
      entries: this.#history.entries(historyLength),
      findUncounted: () => this.#history.findUncounted(() => this.#durable.historyLength)
    }
  }

  /** Writes a snapshot, if there were commits. If that fails, the next start replays them. */
  async checkpoint(): Promise<void> {
    await this.#compaction?.catch(() => {})
    if (this.#commits.size === 0) return
    try {
      await this.#assertOwned()
      await this.write(this.#durable.state)
    } catch (error) {
      this.#onNotice(`${this.#path} could not be replaced, so the next start takes longer: ${reasonOf(error)}`)
    }
  }

  async close(): Promise<void> {
    await this.#compaction?.catch(() => {})
    try {
      await this.#commits.close()
    } finally {
      await this.#history.close()
    }
  }

  /** Lets a thread write the commits so far into the document, while new ones go to another file. */
  async #startCompaction(): Promise<void> {
    const { compactionProgram: program, migrations } = this.#options
    if (!program || this.#compaction !== undefined) return
    const { revision } = this.#durable
    await this.#commits.rotate()
    const beforeReplace = async () => {
      await this.#history.prepare()
      await this.#history.sync()
      await this.#assertOwned()
    }
    const input = { path: this.#path, revision, newest: latestVersion(migrations) }
    const compaction = runCompaction(program, input, beforeReplace)
      .then(async (bytes) => {
        this.#compactionLimit = Math.max(MIN_COMPACTION_BYTES, bytes)
        await this.#commits.removeOutdated()
      })
      .finally(() => {
        this.#compaction = undefined
      })
    // Repeated when as many commits again have followed.
    compaction.catch((error) => this.#onNotice(`${this.#path} could not be compacted: ${reasonOf(error)}`))
    this.#compaction = compaction
  }

  async #replace(next: DurableState): Promise<void> {
    const { state, revision, historyLength, encryption } = next
    const schemaVersion = latestVersion(this.#options.migrations)
    // Without a codec, the store is new and empty.
    const data = this.#codec.encode(state, this.#encryption?.codec)
    const text = formatDocument({ schemaVersion, revision, historyLength, encryption, data })
    await writeFileAtomic(this.#path, text, { beforeRename: this.#assertOwned })
    this.#compactionLimit = Math.max(MIN_COMPACTION_BYTES, text.length)
    this.#durable = next
  }

  /** @param copy The copy of the document, if the disk had space for it. */
  #migrate(data: unknown, schemaVersion: number, copy: string | undefined): unknown {
    try {
      return migrate(data, schemaVersion, this.#options.migrations)
    } catch (cause) {
      const problem = `could not be migrated from schema version ${schemaVersion} to ${latestVersion(this.#options.migrations)}`
      throw storeOpenError(
        this.#path,
        problem,
        `it is unchanged${copy === undefined ? '' : ` (and copied to ${copy})`}; start the version of Burgee that wrote it`,
        cause
      )
    }
  }
}

/** Options of a `FileAdapter`. */
export interface FileAdapterOptions {
  /** Runs the writes of the start. */
  readonly deferredWrites: DeferredWrites
  /** Rejects if another process owns the directory by now. */
  readonly assertOwned: () => Promise<void>
  /** Rejects if this process may have been suspended since the owner was last checked, and another one owns it now. */
  readonly assertNotSuspended: () => Promise<void>
  /** Whether a suspended process may have the files open. */
  readonly mayHaveFormerOwner?: () => boolean
  readonly migrations: readonly Migration[]
  readonly encryption: EncryptionOptions
  /** The program of the thread that compacts; see `openFileStore`. */
  readonly compactionProgram?: URL | undefined
}

/** Prevents frequent compactions of a small document. */
const MIN_COMPACTION_BYTES = 4 * 1_048_576

/** The known content of the files. */
interface DurableState {
  readonly state: StoreState
  readonly revision: number
  readonly historyLength: number
  readonly encryption?: StoredEncryption | undefined
}
