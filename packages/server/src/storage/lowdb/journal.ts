import { writeFileAtomic } from '@burgee/kit/files'
import { type AppendLog, openAppendLog } from '../disk/appendLog.ts'
import { userDataCollections } from '../resources.ts'
import type { StoreWrite } from '../store.ts'
import { RESTORE_BACKUP } from '../storeOpenError.ts'
import type { StoreItems, StoreState } from '../tables/storeState.ts'
import { formatJournalLine } from './journalLine.ts'
import { replayJournal } from './replayJournal.ts'

/**
 * The file of the user data: a line for each transaction, which grows, and is written anew without what was replaced
 * or removed since when that has become the larger part.
 */
export class Journal {
  readonly #path: string
  readonly #onNotice: (message: string) => void
  #log: AppendLog | undefined
  /** How many records the file holds, live or not. */
  #records = 0
  /** How many it may hold before it is looked at for ones that are not. */
  #limit = 0

  constructor(path: string, onNotice: (message: string) => void) {
    this.#path = path
    this.#onNotice = onNotice
  }

  /** The items that the file comes to. @throws {StoreOpenError} when a line is broken. */
  async open(): Promise<StoreItems> {
    this.#log = await openAppendLog(this.#path)
    const { tornBytes } = this.#log
    if (tornBytes > 0)
      this.#onNotice(`${this.#path}: cut away ${tornBytes} bytes of a last line that was never finished`)
    const { items, records } = await replayJournal(this.#path, userDataCollections, remedy)
    this.#records = records
    return items
  }

  /** Makes transactions durable together. `state` is what the file holds before them. */
  async append(transactions: readonly (readonly StoreWrite[])[], state: StoreState): Promise<void> {
    if (this.#records > this.#limit) await this.compact(state)
    // A compaction that failed half-way may have left the open log without its name, so it opens the file anew.
    this.#log ??= await openAppendLog(this.#path)
    await this.#log.append(...transactions.map(formatJournalLine))
    for (const writes of transactions) this.#records += writes.length
  }

  /** Writes the file anew with one line for each item of `state`, unless it has nothing else. */
  async compact(state: StoreState): Promise<void> {
    const live = userDataCollections.reduce((sum, name) => sum + state[name].items.size, 0)
    if (this.#records > live) {
      await this.close()
      try {
        await writeFileAtomic(this.#path, formatState(state))
        this.#records = live
      } catch (error) {
        this.#onNotice(`${this.#path} could not be compacted and goes on growing: ${String(error)}`)
      }
    }
    this.#limit = 2 * this.#records + COMPACTION_SLACK
  }

  async close(): Promise<void> {
    await this.#log?.close()
    this.#log = undefined
  }
}

function remedy(): string {
  return `${RESTORE_BACKUP}, or remove the line to lose its change`
}

/** Keeps a small file from being written anew all the time. */
const COMPACTION_SLACK = 10_000

/** The lines of a compacted file, many at a time: a write for each would take minutes for a million. */
function* formatState(state: StoreState): Generator<string, void> {
  let text = ''
  for (const collection of userDataCollections) {
    for (const item of state[collection].items.values()) {
      // `item` is of `collection`, which the compiler loses sight of in a union.
      text += `${formatJournalLine([{ collection, after: item } as StoreWrite])}\n`
      if (text.length < 65_536) continue
      yield text
      text = ''
    }
  }
  yield text
}
