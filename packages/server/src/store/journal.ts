import { type AppendLog, openAppendLog } from '../disk/appendLog.ts'
import { writeDurably } from '../disk/writeDurably.ts'
import { lineOf } from './journalLine.ts'
import { RESTORE } from './refusal.ts'
import { replay } from './replay.ts'
import { userData } from './resources.ts'
import type { Items, State } from './state.ts'
import type { Write } from './store.ts'

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
  async open(): Promise<Items> {
    this.#log = await openAppendLog(this.#path)
    const { tornBytes } = this.#log
    if (tornBytes > 0)
      this.#onNotice(`${this.#path}: cut away ${tornBytes} bytes of a last line that was never finished`)
    const { items, records } = await replay(this.#path, userData, remedy)
    this.#records = records
    return items
  }

  /** Makes transactions durable together. `state` is what the file holds before them. */
  async append(transactions: readonly (readonly Write[])[], state: State): Promise<void> {
    if (this.#records > this.#limit) await this.compact(state)
    // A compaction that failed half-way may have left the open log without its name, so it opens the file anew.
    this.#log ??= await openAppendLog(this.#path)
    await this.#log.append(...transactions.map(lineOf))
    for (const writes of transactions) this.#records += writes.length
  }

  /** Writes the file anew with one line for each item of `state`, unless it has nothing else. */
  async compact(state: State): Promise<void> {
    const live = userData.reduce((sum, name) => sum + state[name].items.size, 0)
    if (this.#records > live) {
      await this.close()
      try {
        await writeDurably(this.#path, texts(state))
        this.#records = live
      } catch (error) {
        this.#onNotice(`${this.#path} could not be compacted and goes on growing: ${String(error)}`)
      }
    }
    this.#limit = 2 * this.#records + SLACK
  }

  async close(): Promise<void> {
    await this.#log?.close()
    this.#log = undefined
  }
}

function remedy(): string {
  return `${RESTORE}, or remove the line to lose its change`
}

/** Keeps a small file from being written anew all the time. */
const SLACK = 10_000

/** The lines of a compacted file, many at a time: a write for each would take minutes for a million. */
function* texts(state: State): Generator<string, void> {
  let text = ''
  for (const collection of userData) {
    for (const item of state[collection].items.values()) {
      // `item` is of `collection`, which the compiler loses sight of in a union.
      text += `${lineOf([{ collection, after: item } as Write])}\n`
      if (text.length < 65_536) continue
      yield text
      text = ''
    }
  }
  yield text
}
