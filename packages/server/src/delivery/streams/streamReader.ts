import { KEEP_ALIVE } from './streamMessage.ts'
import type { StreamSink } from './streamSink.ts'

/** The reader of a stream. It is stalled while earlier chunks wait to be sent. */
export class StreamReader {
  readonly #sink: StreamSink
  readonly #maxStalledRounds: number
  readonly #onReady: () => void
  #isStalled = false
  #stalledRounds = 0

  /** `onReady` is called when a stalled reader has caught up. */
  constructor(sink: StreamSink, maxStalledRounds: number, onReady: () => void) {
    this.#sink = sink
    this.#maxStalledRounds = maxStalledRounds
    this.#onReady = onReady
  }

  get isStalled(): boolean {
    return this.#isStalled
  }

  write(text: string): void {
    if (this.#sink.write(text) || this.#isStalled) return
    this.#isStalled = true
    this.#sink.onDrain(() => {
      this.#isStalled = false
      this.#onReady()
    })
  }

  /** Counts a keep-alive round; returns whether the reader has been stalled for too many of them. */
  countRound(): boolean {
    this.#stalledRounds = this.#isStalled ? this.#stalledRounds + 1 : 0
    return this.#stalledRounds > this.#maxStalledRounds
  }

  /** Sends a keep-alive, unless earlier chunks wait. */
  keepAlive(): void {
    if (!this.#isStalled) this.write(KEEP_ALIVE)
  }

  /** Ends the stream; drops the chunks that a stalled reader has not read. */
  close(): void {
    if (this.#isStalled) this.#sink.destroy()
    else this.#sink.end()
  }
}
