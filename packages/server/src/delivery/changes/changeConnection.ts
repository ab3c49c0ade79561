import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import { StreamReader } from '../streams/streamReader.ts'
import type { StreamSink } from '../streams/streamSink.ts'

/** How a connection sends entries. */
interface ChangeConnectionOptions {
  /** Formats the next entries for the caller as it is now. Rejects if the caller may no longer read them. */
  readonly format: (entries: readonly StoredAuditEntry[]) => Promise<readonly string[]>
  readonly maxQueued: number
  /** The number of keep-alive rounds in which a reader may lag behind. */
  readonly maxStalledRounds: number
  /** Called once, when the stream has to end. */
  readonly onEnd: (reason: 'slow' | 'refused') => void
}

/**
 * An open stream of changes. Entries wait in a queue, which streams share except for replays, and become messages one
 * slice at a time while the reader keeps up. So a slow reader buffers a slice at most.
 */
export class ChangeConnection {
  readonly #reader: StreamReader
  readonly #options: ChangeConnectionOptions
  #queue: StoredAuditEntry[] = []
  #isSending = true
  #isOver = false

  /** Nothing is sent before `start`. */
  constructor(sink: StreamSink, options: ChangeConnectionOptions) {
    this.#reader = new StreamReader(sink, options.maxStalledRounds, () => this.#sendQueued())
    this.#options = options
  }

  /** Sends the preamble, the replayed entries, and those that were added meanwhile. */
  start(preamble: string, replayed: readonly StoredAuditEntry[]): void {
    if (this.#isOver) return
    const last = replayed.at(-1)?.position ?? 0
    this.#queue = [...replayed, ...this.#queue.filter(({ position = 0 }) => position > last)]
    this.#reader.write(preamble)
    this.#isSending = false
    this.#sendQueued()
  }

  add(entries: readonly StoredAuditEntry[]): void {
    if (this.#isOver) return
    this.#queue.push(...entries)
    if (this.#queue.length > this.#options.maxQueued) this.#options.onEnd('slow')
    else this.#sendQueued()
  }

  keepAlive(): void {
    if (this.#isOver) return
    if (this.#reader.countRound()) this.#options.onEnd('slow')
    else this.#reader.keepAlive()
  }

  close(): void {
    this.#isOver = true
    this.#queue = []
    this.#reader.close()
  }

  /** Sends the queue in order; a call during another one has no effect, since that one sends the whole queue. */
  #sendQueued(): void {
    if (this.#isSending) return
    this.#isSending = true
    this.#send().catch(() => {
      if (!this.#isOver) this.#options.onEnd('refused')
    })
  }

  async #send(): Promise<void> {
    while (this.#queue.length > 0 && !this.#reader.isStalled && !this.#isOver) {
      const messages = await this.#options.format(this.#queue.splice(0, SLICE))
      if (this.#isOver) return
      if (messages.length > 0) this.#reader.write(messages.join(''))
    }
    // In the same turn of the event loop as the last check of the queue, so that no entry is missed.
    this.#isSending = false
  }
}

/** The number of entries that become messages at once. */
const SLICE = 20
