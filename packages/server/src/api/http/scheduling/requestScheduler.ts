import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ReadQueue } from './readQueue.ts'
import { TurnSlice } from './turnSlice.ts'

/** How many pipelined requests of a connection may wait. More fit into a read only if each has less than 65 bytes. */
const MAX_WAITING_OF_CONNECTION = 1_000

/** How many pipelined requests of all connections may wait. */
const MAX_WAITING = 100_000

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The requests of one connection. */
interface Connection {
  readonly socket: Socket
  /** The request that waits for its turn, or is being answered. */
  current: Exchange | undefined
  isStarted: boolean
  /** The requests that follow it. */
  readonly pipelined: Exchange[]
  /** The number of requests that were queued since the server last resumed reading. */
  waited: number
  /** Starts the next request. One function for all responses of the connection, instead of a closure for each. */
  readonly onResponseClosed: () => void
}

/**
 * Passes requests to a listener for a few milliseconds of each turn of the event loop, and the next request of a
 * connection after the response to the previous one.
 *
 * Node emits all requests that it has read at once: up to 64 KiB of pipelined ones per connection.
 */
export class RequestScheduler {
  readonly #listener: RequestListener
  readonly #onConnectionDropped: () => void
  /** The open connections, oldest first. */
  readonly #connections = new Map<Socket, Connection>()
  /** The connections whose requests are started next. */
  readonly #ready: Connection[] = []
  readonly #slice = new TurnSlice()
  readonly #reads = new ReadQueue()
  /** The number of pipelined requests that wait, of all connections. */
  #waiting = 0

  /** @param onConnectionDropped Called when a connection is closed because too many pipelined requests wait. */
  constructor(listener: RequestListener, onConnectionDropped: () => void) {
    this.#listener = listener
    this.#onConnectionDropped = onConnectionDropped
  }

  /** Queues a request of a watched connection, and calls the listener when it is next. */
  schedule(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket)
    if (connection?.current) this.#addPipelined(connection, { request, response })
    else if (connection) this.#enqueue(connection, { request, response })
  }

  /** Takes a new connection in: from now on, the server reads nothing from it while its pipelined requests wait. */
  watch(socket: Socket): void {
    this.#slice.shorten()
    const connection: Connection = {
      socket,
      current: undefined,
      isStarted: false,
      pipelined: [],
      waited: 0,
      onResponseClosed: () => {
        connection.current = undefined
        const next = connection.pipelined.shift()
        if (next) this.#enqueueFollowing(connection, next)
      }
    }
    this.#connections.set(socket, connection)
    // Node also resumes a connection to read a body.
    socket.on('resume', () => {
      if (connection.pipelined.length > 0) socket.pause()
    })
    socket.once('close', () => {
      this.#connections.delete(socket)
      this.#waiting -= connection.pipelined.length
      connection.pipelined.length = 0
    })
  }

  /**
   * Whether a connection waits for the server: for a request to start, or for its response. False while the server
   * waits for the rest of the body.
   */
  isAnswering(socket: Socket): boolean {
    const { current, isStarted } = this.#connections.get(socket) ?? {}
    return current !== undefined && (!isStarted || current.request.complete)
  }

  /** Returns the response that a connection waits for, or receives. */
  responseTo(socket: Socket): ServerResponse | undefined {
    return this.#connections.get(socket)?.current?.response
  }

  #addPipelined(connection: Connection, exchange: Exchange): void {
    const { socket, pipelined } = connection
    if (socket.destroyed) {
      // Node also emits the rest of what it has read from a connection that was dropped.
      exchange.request.destroy()
      return
    }
    pipelined.push(exchange)
    connection.waited++
    this.#waiting++
    socket.pause()
    if (pipelined.length > MAX_WAITING_OF_CONNECTION) this.#drop(connection)
    else if (this.#waiting > MAX_WAITING) this.#drop(this.#longest() ?? connection)
  }

  /** Closes a connection, and forgets its requests. */
  #drop({ socket, pipelined }: Connection): void {
    socket.destroy()
    // Otherwise, Node formats the stack of an error for each when the connection has closed.
    for (const { request } of pipelined) request.destroy()
    this.#waiting -= pipelined.length
    pipelined.length = 0
    // Node frees them at the end of the turn, so the server does not read as many again before.
    this.#reads.pauseAll(this.#connections.keys())
    this.#onConnectionDropped()
  }

  /** Returns the connection of which most requests wait. */
  #longest(): Connection | undefined {
    let longest: Connection | undefined
    for (const connection of this.#connections.values()) {
      if (connection.pipelined.length > (longest?.pipelined.length ?? 0)) longest = connection
    }
    return longest
  }

  #enqueue(connection: Connection, exchange: Exchange): void {
    connection.current = exchange
    connection.isStarted = false
    exchange.response.on('close', connection.onResponseClosed)
    this.#ready.push(connection)
    setImmediate(this.#startFirst)
  }

  // Called once for each request that is ready. The calls in one turn of the event loop follow each other.
  readonly #startFirst = (): void => {
    if (this.#slice.isOver()) {
      setImmediate(this.#startFirst)
      return
    }
    const connection = this.#ready.shift()
    // Nobody reads a response after the connection has closed, so the request must not change anything either.
    if (!connection?.current?.request.socket.writable) return
    const { request, response } = connection.current
    connection.isStarted = true
    this.#listener(request, response)
  }

  #enqueueFollowing(connection: Connection, next: Exchange): void {
    this.#waiting--
    this.#enqueue(connection, next)
    if (connection.pipelined.length > 0) return
    this.#reads.add({ socket: connection.socket, requests: connection.waited })
    connection.waited = 0
  }
}
