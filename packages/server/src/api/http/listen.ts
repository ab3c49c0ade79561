import {
  createServer,
  maxHeaderSize,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES
} from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { every } from '@burgee/kit'
import { OptionError } from '../../lib/errors.ts'
import { JSON_TYPE, plainErrorBody, sendPlainError } from './response/plainError.ts'
import { RequestScheduler } from './scheduling/requestScheduler.ts'

/** The parts of a server that can be replaced while it listens. */
interface ServerState {
  /** Answers the requests. */
  callback: RequestListener
  /** The requests that start when the server has stopped listening, in their order. */
  held: (() => void)[] | undefined
  /** The open connections that have not sent a request yet, with the time of their opening. */
  readonly unused: Map<Socket, number>
}

const states = new WeakMap<Server, ServerState>()

/** How many opened connections may wait until the server accepts them. */
const BACKLOG = 511

/** How long a new connection may take to send its first request when the server stops, in milliseconds. */
const FIRST_REQUEST_MS = 1_000

/** Passes further requests of a listening server to another callback. */
export function replaceCallback(server: Server, callback: RequestListener): void {
  const state = states.get(server)
  if (state) state.callback = callback
}

/** How long no connection must have arrived before a server that announced its stop ends listening, in milliseconds. */
const QUIET_MS = 20

/** How long connections that keep arriving delay the end of listening at least, in milliseconds. */
const ACCEPT_MS = 1_000

/** How long requests in progress may take to finish when the server stops, in milliseconds. */
const DRAIN_MS = 8_000

/** How long clients may take to read an error before the server closes the connection, in milliseconds. */
const ERROR_LINGER_MS = 1_000

interface ListenOptions {
  readonly at: TcpAddress | UnixSocket
  /** How long a client may leave a response unread before the connection closes, in milliseconds. */
  readonly stallTimeoutMs: number
  /** How long a client may take to send a request, in milliseconds. Default: 28,000. */
  readonly requestTimeoutMs?: number | undefined
  /** Called when the server closes a connection because too many pipelined requests wait. */
  readonly onConnectionDropped?: () => void
}

/** A host and port to listen on. */
interface TcpAddress {
  readonly host: string
  readonly port: number
  /** The flag that sets the port, for the message. */
  readonly portFlag?: string
}

/** A socket of this computer. */
interface UnixSocket {
  readonly path: string
}

/** Starts listening, with timeouts for slow clients. @throws {OptionError} if the address is unavailable. */
export async function startListening(
  callback: RequestListener,
  { at, stallTimeoutMs, requestTimeoutMs = REQUEST_TIMEOUT_MS, onConnectionDropped = () => {} }: ListenOptions
): Promise<Server> {
  const state: ServerState = { callback, held: undefined, unused: new Map() }
  const scheduler = new RequestScheduler((request, response) => state.callback(request, response), onConnectionDropped)
  const server: Server = createServer(
    {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      // Exceeds the idle timeout of common proxies. They would otherwise reuse a connection that the server is closing.
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: 1_000,
      // Workers add a header, and forward HTTP/1.0 requests, which need no `Host`, as HTTP/1.1.
      ...('path' in at ? { maxHeaderSize: 2 * maxHeaderSize, requireHostHeader: false } : {})
    },
    (request, response) => {
      state.unused.delete(request.socket)
      const target = toOriginForm(request.url ?? '')
      if (target === undefined) {
        sendPlainError(response, 400, unreadableMessage(400), { connection: 'close' })
        return
      }
      request.url = target
      if (state.held) state.held.push(() => scheduler.schedule(request, response))
      else scheduler.schedule(request, response)
    }
  )
  // Node.js would drop the headers after the 2,000th without an error: those that proxies append, too. Their total size is
  // limited anyway, to 16 KiB.
  server.maxHeadersCount = 0
  // Otherwise, Node closes a connection when the client has ended its side, although the response is not sent yet.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === TIMEOUT_CODE && scheduler.isAnswering(socket)) deferTimeout(error, socket, scheduler)
    else rejectUnparsable(error, socket)
  })
  // Also emitted for idle connections after `keepAliveTimeout`, and for requests that take long to answer.
  server.setTimeout(stallTimeoutMs, (socket) => {
    if (socket.writableLength > 0 || !scheduler.isAnswering(socket)) socket.destroy()
  })
  states.set(server, state)
  server.on('connection', (socket) => {
    scheduler.watch(socket)
    socket.once('end', () => endStream(scheduler.responseTo(socket)))
    state.unused.set(socket, performance.now())
    socket.once('close', () => state.unused.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: Error) => reject(new OptionError(describeFailure(at, cause), { cause }))
    server.once('error', fail)
    server.listen({ ...at, backlog: BACKLOG }, () => {
      server.off('error', fail)
      resolve()
    })
  })
  return server
}

/** Ends a stream whose client closes the connection: only the next message would show that nobody reads it. */
function endStream(response: ServerResponse | undefined): void {
  if (response?.headersSent && String(response.getHeader('content-type')).startsWith(STREAM_TYPE)) response.destroy()
}

const STREAM_TYPE = 'text/event-stream'

function describeFailure(at: TcpAddress | UnixSocket, { message }: Error): string {
  if ('path' in at) return `cannot listen on ${at.path}: ${message}. Choose another temporary directory with TMPDIR`
  const { host, port, portFlag = '--port' } = at
  return `cannot listen on ${host}:${port}: ${message}. Choose another address with --host and ${portFlag}`
}

/**
 * Returns the path and query of a request target, which can also be a whole URL (RFC 9112 §3.2.2). Returns undefined if
 * it is invalid.
 */
function toOriginForm(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return target
  if (!URL.canParse(target)) return undefined
  const { protocol, pathname, search } = new URL(target)
  return protocol === 'http:' || protocol === 'https:' ? `${pathname}${search}` : undefined
}

function unreadableMessage(statusCode: number): string {
  return `the request cannot be read: ${STATUS_CODES[statusCode]}`
}

/**
 * Gives the rest of a request more time while an earlier one of its connection is answered: the server does not read
 * from the connection meanwhile.
 */
function deferTimeout(error: Error, socket: Socket, scheduler: RequestScheduler): void {
  const timer = setTimeout(() => {
    if (scheduler.isAnswering(socket)) timer.refresh()
    else rejectUnparsable(error, socket)
  }, HEADERS_TIMEOUT_MS)
  socket.once('close', () => clearTimeout(timer))
}

const HEADERS_TIMEOUT_MS = 10_000
/**
 * Shorter than `stallTimeoutMs` by more than the interval of the checks: a client that stops sending would otherwise be
 * disconnected without a response, and a worker would lose the main process before it could answer with 408.
 */
const REQUEST_TIMEOUT_MS = 28_000
const TIMEOUT_CODE = 'ERR_HTTP_REQUEST_TIMEOUT'

/** Responds to bytes that Node cannot parse as an HTTP request, then closes the connection. */
function rejectUnparsable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const statusCode = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === TIMEOUT_CODE ? 408 : 400
  const body = plainErrorBody(statusCode, unreadableMessage(statusCode))
  socket.end(
    [
      `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`,
      'connection: close',
      `content-type: ${JSON_TYPE}`,
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body
    ].join('\r\n')
  )
  // A client that never closes would keep the connection and its request alive.
  setTimeout(() => socket.destroy(), ERROR_LINGER_MS).unref()
}

/**
 * Stops listening after accepting the connections that clients have opened already: the system resets those that wait.
 * Node accepts one in each turn of the event loop, so a turn without any means that none waits.
 *
 * Meanwhile no request starts, because clients that open a connection for each request would open the next one with every
 * response. Others can keep opening connections, so it ends after a second, and after a full backlog: a busy server needs
 * longer to accept what was opened before.
 * @param quietMs How long no connection must have arrived: requests in progress are answered meanwhile.
 */
async function closeListener(server: Server, quietMs: number, onClosed: () => void): Promise<void> {
  const waiting: (() => void)[] = []
  const state = states.get(server)
  if (state) state.held = waiting
  const end = performance.now() + ACCEPT_MS
  let accepted = 0
  let before: number
  const count = () => accepted++
  server.on('connection', count)
  do {
    before = accepted
    if (quietMs > 0) await sleep(quietMs)
    // The first may resolve in the present turn, the second does after a whole one.
    await setImmediate()
    await setImmediate()
  } while (accepted > before && (performance.now() < end || accepted <= BACKLOG))
  // `server.close` would also close keep-alive connections at once, and lose requests that are arriving on them.
  NetServer.prototype.close.call(server, onClosed)
  server.off('connection', count)
  if (state) state.held = undefined
  for (const start of waiting) start()
}

/**
 * Stops accepting connections, lets requests in progress finish, and closes the rest after a timeout. Before that, the
 * server answers requests for another `lingerMs` milliseconds, so that load balancers can detect that it is not ready.
 */
export async function stopListening(server: Server, lingerMs: number): Promise<void> {
  if (lingerMs > 0) await new Promise((resolve) => setTimeout(resolve, lingerMs))
  let onClosed = () => {}
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve
  })
  await closeListener(server, lingerMs > 0 ? QUIET_MS : 0, onClosed)
  if (lingerMs === 0) server.closeIdleConnections()
  let overdue: ReadonlySet<Socket> = new Set()
  const closeIdle = () => {
    // Skips connections that have not sent a request.
    server.closeIdleConnections()
    const opened = performance.now() - FIRST_REQUEST_MS
    const unused = [...(states.get(server)?.unused ?? [])].flatMap(([socket, at]) => (at < opened ? [socket] : []))
    // After a stall, the requests that arrived meanwhile are read first, and found in the next turn.
    for (const socket of unused) if (overdue.has(socket)) socket.destroy()
    overdue = new Set(unused)
  }
  const onError = (error: unknown) => server.emit('error', error)
  const sweep = every(lingerMs === 0 ? 50 : 250, closeIdle, { onError })
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  await sweep.stop()
  clearTimeout(deadline)
  // Only the timer of `connectionsCheckingInterval` is left to stop.
  server.close()
}
