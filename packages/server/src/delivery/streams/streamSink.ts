/** Starts sending messages to a sink. Returns the function to call when the reader has disconnected. */
export type StartStream = (reader: StreamSink) => () => void

/** The reader of a stream. */
export interface StreamSink {
  /** The id of the last message that the reader received, if declared. */
  readonly lastEventId: string | undefined
  /** Writes a chunk. Returns false while earlier chunks are still buffered. */
  readonly write: (text: string) => boolean
  /** Calls back when the buffer has drained. */
  readonly onDrain: (listener: () => void) => void
  /** Closes the stream after the buffered chunks. */
  readonly end: () => void
  /** Closes the stream at once and drops buffered chunks. */
  readonly destroy: () => void
}

/** Ends a stream of a server that is stopping. This is not an error, because browsers do not reconnect after one. */
export function endStoppedStream(reader: StreamSink, retryMs: number): void {
  reader.write(`retry: ${retryMs}\n\n`)
  reader.end()
}
