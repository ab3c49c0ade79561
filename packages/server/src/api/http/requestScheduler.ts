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
}

/** How long requests are started in one turn of the event loop, in milliseconds. */
const SLICE_MS = 4

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Passes requests to the listener for a few milliseconds of each turn of the event loop, and the next request of a
 * connection after the response to the previous one.
 *
 * Node emits all requests that it has read at once: up to 64 KiB of pipelined ones per connection. It accepts one
 * connection per turn, so a turn in which every connection starts a request makes new connections wait.
 */
export function createRequestScheduler(listener: RequestListener): RequestScheduler {
  /** The requests that are started next: at most one for each connection. */
  const ready: Exchange[] = []
  /** The requests of each busy connection that follow the one in progress. */
  const pipelined = new WeakMap<Socket, Exchange[]>()
  const isPipelining = (socket: Socket) => (pipelined.get(socket)?.length ?? 0) > 0
  /** The requests in progress whose turn has come. */
  const started = new WeakMap<Socket, IncomingMessage>()

  let isInSlice = false
  let startedAt = 0

  // Called once for each request that is ready. The calls in one turn of the event loop follow each other.
  const startFirst = () => {
    if (!isInSlice) {
      isInSlice = true
      startedAt = performance.now()
      setImmediate(() => {
        isInSlice = false
      })
    } else if (performance.now() - startedAt > SLICE_MS) {
      setImmediate(startFirst)
      return
    }
    const first = ready.shift()
    if (!first) return
    const { request, response } = first
    // Nobody reads a response after the connection has closed, so the request must not change anything either.
    if (!request.socket.writable) return
    started.set(request.socket, request)
    listener(request, response)
  }

  const startFollowing = (socket: Socket) => {
    started.delete(socket)
    const next = pipelined.get(socket)?.shift()
    if (next) enqueue(next)
    else pipelined.delete(socket)
    if (!isPipelining(socket)) socket.resume()
  }

  const enqueue = (exchange: Exchange) => {
    const { socket } = exchange.request
    exchange.response.once('close', () => startFollowing(socket))
    ready.push(exchange)
    setImmediate(startFirst)
  }

  return {
    listener: (request, response) => {
      const { socket } = request
      const following = pipelined.get(socket)
      if (following) {
        following.push({ request, response })
        socket.pause()
        return
      }
      pipelined.set(socket, [])
      enqueue({ request, response })
    },
    watch: (socket) => {
      // Node also resumes a connection to read a body.
      socket.on('resume', () => {
        if (isPipelining(socket)) socket.pause()
      })
    },
    isAnswering: (socket) => pipelined.has(socket) && started.get(socket)?.complete !== false
  }
}
