import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ReadQueue } from './readQueue.ts'
import { TurnSlice } from './turnSlice.ts'

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
  readonly #connections = new WeakMap<Socket, Connection>()
  /** The connections whose requests are started next. */
  readonly #ready: Connection[] = []
  readonly #slice = new TurnSlice()
  readonly #reads = new ReadQueue()

  constructor(listener: RequestListener) {
    this.#listener = listener
  }

  /** Queues a request, and calls the listener when it is next. */
  schedule(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket) ?? this.#add(request.socket)
    if (!connection.current) {
      this.#enqueue(connection, { request, response })
      return
    }
    connection.pipelined.push({ request, response })
    connection.waited++
    request.socket.pause()
  }

  /** Takes a new connection in: from now on, the server reads nothing from it while its pipelined requests wait. */
  watch(socket: Socket): void {
    this.#slice.shorten()
    // Node also resumes a connection to read a body.
    socket.on('resume', () => {
      if (this.#connections.get(socket)?.pipelined.length) socket.pause()
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

  #add(socket: Socket): Connection {
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
    return connection
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
    this.#enqueue(connection, next)
    if (connection.pipelined.length > 0) return
    this.#reads.add({ socket: connection.socket, requests: connection.waited })
    connection.waited = 0
  }
}
