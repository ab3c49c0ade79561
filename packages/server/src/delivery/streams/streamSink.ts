/** Begins to send messages to the one who reads; answers what to do once they are gone. */
export type StartStream = (reader: StreamSink) => () => void

/** Who reads a stream. */
export interface StreamSink {
  /** The id of the last message it has seen, as far as it says so. */
  readonly lastEventId: string | undefined
  /** Hands over a piece of the stream; false when it has not taken those before it yet. */
  readonly write: (text: string) => boolean
  /** Calls back once it has taken everything. */
  readonly onDrain: (listener: () => void) => void
  /** Hangs up after what was handed over. */
  readonly end: () => void
  /** Hangs up at once, whatever has not been taken. */
  readonly destroy: () => void
}
