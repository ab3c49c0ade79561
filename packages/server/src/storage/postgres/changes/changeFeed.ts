import { every, type PeriodicJob, type Serializer, serialize } from '@burgee/kit'
import type { ItemCodec } from '../../encryption/itemCodec.ts'
import { StoreLostError, StoreUnavailableError, type StoreWrite } from '../../store.ts'
import { deleteOldClaims } from '../connection/claims.ts'
import type { Database } from '../connection/database.ts'
import { isWithoutTables } from '../connection/databaseErrors.ts'
import { CHANNEL, deleteOldChanges, type Position, RETENTION_HOURS, readChanges } from './changeLog.ts'
import { type Listening, listen } from './listen.ts'

interface Dependencies {
  readonly database: Database
  readonly codec: ItemCodec
  /** How often the database is asked for changes, in milliseconds. */
  readonly pollMs: number
  /** Whether the database notifies this server of changes. */
  readonly listens: boolean
  /** Returns a number between 0 and 1. */
  readonly random: () => number
  /** Receives each change of any server once, in order. Must not throw. */
  readonly publish: (writes: readonly StoreWrite[]) => Promise<void>
  /** Called when the database cannot be used at present. */
  readonly onUnavailable: (error: Error) => void
  /** Called when changes were missed, so that this server must start again. */
  readonly onLost: (error: StoreLostError) => void
}

/**
 * Publishes the changes of all servers in the order of their numbers. Notifications of the database only shorten the
 * wait: they are lost while a connection is down, so the feed always polls too.
 */
export class ChangeFeed {
  readonly #dependencies: Dependencies
  readonly #inTurn: Serializer = serialize()
  #polling: PeriodicJob | undefined
  #listening: Listening | undefined
  #cleaning: PeriodicJob | undefined
  /** The numbers of own changes that were published before the feed started. */
  readonly #early = new Set<number>()
  /** Whether changes of others are published. */
  #hasFollowed = false
  /** The next time that the changes are read, unless reading has begun. */
  #nextRead: Promise<void> | undefined
  /** The last change of which all before are published, too. */
  #last: Position
  #lost: StoreLostError | undefined

  /** @param last The last change, which is not published. */
  constructor(dependencies: Dependencies, last: Position) {
    this.#dependencies = dependencies
    this.#last = last
  }

  /**
   * Starts to publish the changes of other servers, beginning with those since the store was opened. Resolves when the
   * changes up to now are published.
   */
  async start(): Promise<void> {
    const { database, pollMs, listens, random } = this.#dependencies
    // Servers that started together should not poll together.
    const jittered = pollMs * (0.9 + 0.2 * random())
    // The health check reports that the database is unavailable.
    const onError = () => {}
    this.#polling = every(jittered, () => this.catchUp(), { onError })
    if (listens) this.#listening = listen(database, CHANNEL, () => void this.catchUp().catch(onError))
    this.#cleaning = every(CLEAN_MS, () => Promise.all([deleteOldChanges(database), deleteOldClaims(database)]), {
      onError
    })
    await this.catchUp()
  }

  /**
   * Resolves when all changes that were committed before the call are published. Calls that arrive while changes are
   * read share the next read. @throws {StoreUnavailableError} when the changes cannot be read.
   */
  catchUp(): Promise<void> {
    this.#nextRead ??= this.#inTurn(async () => {
      this.#nextRead = undefined
      while (!this.#lost && (await this.#publishNext()));
      if (this.#lost) throw new StoreUnavailableError(this.#lost.message, { cause: this.#lost })
    })
    return this.#nextRead
  }

  /** The last change that is published. */
  get last(): Position {
    return this.#last
  }

  /**
   * Asserts that a change which is not committed yet follows a known one: otherwise the database was restored, and this
   * server would not use the change, or use it with others that no longer exist.
   * @param known The last published change when the change was recorded.
   * @param found What the database has at its number.
   * @throws {StoreUnavailableError}
   */
  assertFollows(change: Position, known: Position, found: Position): void {
    if (change.revision > known.revision && isSame(known, found)) return
    this.#lose()
    throw new StoreUnavailableError(this.#lost?.message, { cause: this.#lost })
  }

  /** Why this server can no longer follow the changes. */
  get lost(): StoreLostError | undefined {
    return this.#lost
  }

  /**
   * Publishes a change that this server has committed, after the changes of other servers before it. Resolves when it is
   * published. @throws when the others cannot be read now; the next poll publishes all of them.
   */
  publishOwn(change: Position, writes: readonly StoreWrite[]): Promise<void> {
    const { revision } = change
    return this.#inTurn(async () => {
      if (!this.#polling) {
        this.#early.add(revision)
        return this.#dependencies.publish(writes)
      }
      while (this.#last.revision < revision - 1 && (await this.#publishNext()));
      if (this.#lost) throw this.#lost
      // A poll may have published it already.
      if (this.#last.revision === revision - 1) await this.#publish(change, writes)
      else if (this.#last.revision < revision) throw new Error(`change ${revision} cannot be read back`)
    })
  }

  async close(): Promise<void> {
    await Promise.all([this.#listening?.close(), this.#polling?.stop(), this.#cleaning?.stop()])
    await this.#inTurn.idle()
  }

  /** Publishes the next changes. Returns whether there were any. */
  async #publishNext(): Promise<boolean> {
    const { database, codec, onUnavailable } = this.#dependencies
    const last = this.#last
    const read = await readChanges(database, last.revision, codec).catch((error) => {
      if (!isWithoutTables(error.cause)) throw error
    })
    if (!read) return this.#lose()
    const { newest, isStandby, known, changes } = read
    if (newest === undefined) {
      const problem = new Error('it is being restored')
      onUnavailable(problem)
      throw database.toUnavailable(problem)
    }
    // Every change was committed before it was published.
    if (newest < last.revision || !isSame(last, known)) {
      if (isStandby) throw database.toUnavailable(new Error('it is a standby that lacks changes'))
      return this.#lose()
    }
    if (newest > last.revision && changes.length === 0) return this.#lose()
    for (const { writes, ...change } of changes) {
      if (change.revision !== this.#last.revision + 1) return this.#lose()
      await this.#publish(change, writes)
    }
    return changes.length > 0
  }

  async #publish(change: Position, writes: readonly StoreWrite[]): Promise<void> {
    const isEarly = this.#early.delete(change.revision)
    this.#hasFollowed ||= !isEarly
    // An early change is published again if an older one of another server has replaced it meanwhile.
    if (!isEarly || this.#hasFollowed) await this.#dependencies.publish(writes)
    this.#last = change
  }

  #lose(): false {
    const { database, onLost } = this.#dependencies
    if (this.#lost) return false
    this.#lost = new StoreLostError(
      `this server was disconnected from ${database.name} for more than ${RETENTION_HOURS} hours, or the database was restored or emptied, so changes are missing: start it again`
    )
    onLost(this.#lost)
    return false
  }
}

/** Whether two positions with the same number can be the same change. Old changes are deleted. */
function isSame(known: Position, found: Position): boolean {
  return found.at === undefined || found.at === known.at
}

const CLEAN_MS = 10 * 60_000
