import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { every } from '@burgee/kit'
import { OptionError } from '../../lib/errors.ts'

/** The connections of each server that have not sent a request yet. */
const silent = new WeakMap<Server, Set<Socket>>()

const HINT = 'Choose another address with --host and --port'

/** The time for requests in progress to finish when the server stops, in milliseconds. */
const DRAIN_MS = 8_000

/** The time for clients to read an error before the server closes the connection, in milliseconds. */
const HANG_UP_MS = 1_000

/** Starts listening, with timeouts for slow clients. @throws {OptionError} if the address is not available. */
export async function listen(
  callback: RequestListener,
  { host, port }: { readonly host: string; readonly port: number }
): Promise<Server> {
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // Longer than the idle timeout of common proxies, which would otherwise reuse a connection while it closes.
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: 1_000
    },
    callback
  )
  server.on('clientError', refuse)
  const sockets = new Set<Socket>()
  silent.set(server, sockets)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', ({ socket }) => sockets.delete(socket))
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: Error) =>
      reject(new OptionError(`cannot listen on ${host}:${port}: ${cause.message}. ${HINT}`, { cause }))
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve()
    })
  })
  return server
}

/** Answers bytes that Node could not parse as a request. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const statusCode = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const body = JSON.stringify({ statusCode, message: `the request cannot be read: ${STATUS_CODES[statusCode]}` })
  socket.end(
    [
      `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`,
      'connection: close',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body
    ].join('\r\n')
  )
  // A client that never closes would keep the connection and its request alive.
  setTimeout(() => socket.destroy(), HANG_UP_MS).unref()
}

/**
 * Stops accepting connections, lets requests in progress finish, and closes the rest after a timeout. For `lingerMs`
 * milliseconds before that the server keeps answering, so that load balancers can notice that it is not ready.
 */
export async function stopListening(server: Server, lingerMs: number): Promise<void> {
  if (lingerMs > 0) await new Promise((resolve) => setTimeout(resolve, lingerMs))
  // `server.close` would close keep-alive connections at once, although a request may be arriving on one.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
  if (lingerMs === 0) server.closeIdleConnections()
  // A keep-alive connection becomes idle after its response; one that never sent a request does not.
  const closeIdle = () => {
    server.closeIdleConnections()
    for (const socket of silent.get(server) ?? []) socket.destroy()
  }
  const onError = (error: unknown) => server.emit('error', error)
  const sweep = every(lingerMs === 0 ? 50 : 250, closeIdle, { onError })
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  await sweep.stop()
  clearTimeout(cut)
  // Only the server's timer is left to close.
  server.close()
}
