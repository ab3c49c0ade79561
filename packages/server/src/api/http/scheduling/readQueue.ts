import type { Socket } from 'node:net'

/**
 * The approximate number of pipelined requests to read in one turn, estimated from the last read of each connection.
 * Connections are served in turn, so without this limit many would be read in the same turn.
 */
const MAX_READ = 100

interface PausedConnection {
  readonly socket: Socket
  /** How many requests the last read contained. */
  readonly requests: number
}

/** The connections to resume reading from, a few in each turn of the event loop. */
export class ReadQueue {
  readonly #paused: PausedConnection[] = []

  add(connection: PausedConnection): void {
    this.#paused.push(connection)
    if (this.#paused.length === 1) setImmediate(this.#resumeFirst)
  }

  /** Pauses the connections that the server reads from, and resumes one of them in each turn. */
  pauseAll(sockets: Iterable<Socket>): void {
    for (const socket of sockets) {
      if (socket.destroyed || socket.isPaused()) continue
      socket.pause()
      this.add({ socket, requests: MAX_READ })
    }
  }

  readonly #resumeFirst = (): void => {
    for (let read = 0; read < MAX_READ; ) {
      const next = this.#paused.shift()
      if (!next) return
      read += next.requests
      next.socket.resume()
    }
    if (this.#paused.length > 0) setImmediate(this.#resumeFirst)
  }
}
