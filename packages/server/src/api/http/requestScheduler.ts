import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Schedules the requests of all connections for a listener. */
export interface RequestScheduler {
  /** Queues a request, and calls the listener when it is next. */
  readonly listener: RequestListener
  /** Stops reading from a new connection whenever its pipelined requests wait. */
  readonly watch: (socket: Socket) => void
  /**
   * Whether a connection waits for the server: for a request to start, or for its response. False while the server
   * waits for the rest of the body.
   */
  readonly isAnswering: (socket: Socket) => boolean
  /** The response that a connection waits for, or receives. */
  readonly responseTo: (socket: Socket) => ServerResponse | undefined
}

/** How long requests are started in one turn of the event loop, in milliseconds. */
const SLICE_MS = 2

/**
 * The approximate number of pipelined requests to read in one turn, estimated from the last read of each connection.
 * Connections are served in turn, so without this limit many would be read in the same turn.
 */
const MAX_READ = 100

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The requests of one connection. */
interface Connection {
  /** The request that waits for its turn, or is being answered. */
  current: Exchange | undefined
  isStarted: boolean
  /** The requests that follow it. */
  readonly pipelined: Exchange[]
  /** The number of requests that were queued since the server last resumed reading. */
  waited: number
}

/**
 * Passes requests to the listener for a few milliseconds of each turn of the event loop, and the next request of a
 * connection after the response to the previous one.
 *
 * Node emits all requests that it has read at once: up to 64 KiB of pipelined ones per connection. It accepts one
 * connection per turn, so a turn in which every connection starts a request makes new connections wait.
 */
export function createRequestScheduler(listener: RequestListener): RequestScheduler {
  const connections = new WeakMap<Socket, Connection>()
  /** The connections whose requests are started next. */
  const ready: Connection[] = []
  /** The connections to resume reading from, in order. */
  const paused: { readonly socket: Socket; readonly connection: Connection }[] = []
  let isInSlice = false
  let startedAt = 0

  // Called once for each request that is ready. The calls in one turn of the event loop follow each other.
  const startFirst = () => {
    if (!isInSlice) {
      isInSlice = true
      startedAt = performance.now()
      setImmediate(endSlice)
    } else if (performance.now() - startedAt > SLICE_MS) {
      setImmediate(startFirst)
      return
    }
    const connection = ready.shift()
    // Nobody reads a response after the connection has closed, so the request must not change anything either.
    if (!connection?.current?.request.socket.writable) return
    const { request, response } = connection.current
    connection.isStarted = true
    listener(request, response)
  }

  const endSlice = () => {
    isInSlice = false
  }

  const enqueue = (connection: Connection, exchange: Exchange) => {
    connection.current = exchange
    connection.isStarted = false
    exchange.response.on('close', startFollowing)
    ready.push(connection)
    setImmediate(startFirst)
  }

  // One function for all responses, instead of a closure for each.
  function startFollowing(this: ServerResponse): void {
    const { socket } = this.req
    const connection = connections.get(socket)
    if (!connection) return
    const next = connection.pipelined.shift()
    connection.current = undefined
    if (!next) return
    enqueue(connection, next)
    if (connection.pipelined.length > 0) return
    paused.push({ socket, connection })
    if (paused.length === 1) setImmediate(resumeFirst)
  }

  const resumeFirst = () => {
    for (let expected = 0; expected < MAX_READ; ) {
      const next = paused.shift()
      if (!next) return
      expected += next.connection.waited
      next.connection.waited = 0
      next.socket.resume()
    }
    if (paused.length > 0) setImmediate(resumeFirst)
  }

  return {
    listener: (request, response) => {
      const { socket } = request
      let connection = connections.get(socket)
      if (!connection) {
        connection = { current: undefined, isStarted: false, pipelined: [], waited: 0 }
        connections.set(socket, connection)
      }
      if (!connection.current) enqueue(connection, { request, response })
      else {
        connection.pipelined.push({ request, response })
        connection.waited++
        socket.pause()
      }
    },
    watch: (socket) => {
      // Node also resumes a connection to read a body.
      socket.on('resume', () => {
        if (connections.get(socket)?.pipelined.length) socket.pause()
      })
    },
    isAnswering: (socket) => {
      const { current, isStarted } = connections.get(socket) ?? {}
      return current !== undefined && (!isStarted || current.request.complete)
    },
    responseTo: (socket) => connections.get(socket)?.current?.response
  }
}
