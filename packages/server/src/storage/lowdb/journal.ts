import { writeFileAtomic } from '@burgee/kit/files'
import { reasonOf } from '../../lib/reasonOf.ts'
import { type AppendLog, openAppendLog } from '../disk/appendLog.ts'
import type { ItemCodec } from '../encryption/itemCodec.ts'
import { userDataCollections } from '../resources/collections.ts'
import type { StoreWrite } from '../store.ts'
import { RESTORE_BACKUP } from '../storeOpenError.ts'
import type { StoreItems, StoreState } from '../tables/storeState.ts'
import { formatJournalLine } from './journalLine.ts'
import { replayJournal } from './replayJournal.ts'

/**
 * The file of the user data (ADR 2): a line for each transaction. It is compacted when most of its records are replaced
 * or removed.
 */
export class Journal {
  readonly #path: string
  readonly #onNotice: (message: string) => void
  #log: AppendLog | undefined
  #codec: ItemCodec | undefined
  /** The number of records in the file, outdated ones included. */
  #records = 0
  /** The number of records beyond which the file is compacted. */
  #limit = 0

  constructor(path: string, onNotice: (message: string) => void) {
    this.#path = path
    this.#onNotice = onNotice
  }

  /**
   * Opens the file and reads its items. `hasOutdatedSecrets`: secrets are encoded differently from
   * `codec`, so the file must be rewritten.
   * @throws {StoreOpenError} when a line is damaged.
   */
  async open(codec: ItemCodec): Promise<{ readonly items: StoreItems; readonly hasOutdatedSecrets: boolean }> {
    this.#codec = codec
    this.#log = await openAppendLog(this.#path)
    const { tornBytes } = this.#log
    if (tornBytes > 0) this.#onNotice(`${this.#path}: cut off ${tornBytes} bytes of an incomplete last line`)
    const { items, records, hasOutdatedSecrets } = await replayJournal(this.#path, userDataCollections, remedy, {
      codec
    })
    this.#records = records
    return { items, hasOutdatedSecrets }
  }

  /** Makes transactions durable together. `state` is the content of the file before them. */
  async append(transactions: readonly (readonly StoreWrite[])[], state: StoreState): Promise<void> {
    if (this.#records > this.#limit) await this.compact(state)
    // After a failed compaction, the path may lead to another file.
    this.#log ??= await openAppendLog(this.#path)
    await this.#log.append(...transactions.map((writes) => formatJournalLine(writes, this.#codec)))
    for (const writes of transactions) this.#records += writes.length
  }

  /** Rewrites the file with a line for each item of `state`, unless it has no outdated records. */
  async compact(state: StoreState): Promise<void> {
    try {
      await this.purge(state)
    } catch (error) {
      this.#onNotice(`${this.#path} could not be compacted, and continues to grow: ${reasonOf(error)}`)
    }
    this.#limit = 2 * this.#records + COMPACTION_SLACK
  }

  /** Like `compact`, but reports a failure. @throws when the file cannot be rewritten. */
  async purge(state: StoreState): Promise<void> {
    const live = userDataCollections.reduce((sum, name) => sum + state[name].items.size, 0)
    if (this.#records > live) await this.rewrite(state)
  }

  /** Rewrites the file with a line for each item of `state`. @throws when the file cannot be rewritten. */
  async rewrite(state: StoreState): Promise<void> {
    await this.close()
    await writeFileAtomic(this.#path, formatState(state, this.#codec))
    this.#records = userDataCollections.reduce((sum, name) => sum + state[name].items.size, 0)
  }

  async close(): Promise<void> {
    await this.#log?.close()
    this.#log = undefined
  }
}

function remedy(): string {
  return `${RESTORE_BACKUP}, or delete the line and lose its change`
}

/** Prevents frequent compaction of a small file. */
const COMPACTION_SLACK = 10_000

/** Formats the lines of a compacted file in large chunks: a write per line would take minutes for a million lines. */
function* formatState(state: StoreState, codec: ItemCodec | undefined): Generator<string, void> {
  let text = ''
  for (const collection of userDataCollections) {
    for (const item of state[collection].items.values()) {
      // `item` is of `collection`; the compiler does not follow this in a union.
      text += `${formatJournalLine([{ collection, after: item } as StoreWrite], codec)}\n`
      if (text.length < 65_536) continue
      yield text
      text = ''
    }
  }
  yield text
}
