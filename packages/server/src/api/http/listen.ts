import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { every } from '@burgee/kit'
import { OptionError } from '../../lib/errors.ts'

/** The connections of each server on which no request has arrived yet. */
const silent = new WeakMap<Server, Set<Socket>>()

const HINT = 'Choose another address with --host and --port'

/** How long requests under way may go on once the server stops, in milliseconds. */
const DRAIN_MS = 8_000

/** How long callers have to read why they are refused before the connection is cut, in milliseconds. */
const HANG_UP_MS = 1_000

/** Starts listening, with time limits that no slow client outlasts. @throws {OptionError} when the address cannot be had. */
export async function listen(
  callback: RequestListener,
  { host, port }: { readonly host: string; readonly port: number }
): Promise<Server> {
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // Longer than proxies keep idle connections, so that they never reuse one that is being closed.
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

/** Answers what Node could not read as a request, and so never becomes one. */
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
  // A caller that does not hang up would hold on to the connection, and to the request that it began on it.
  setTimeout(() => socket.destroy(), HANG_UP_MS).unref()
}

/**
 * Lets requests under way finish, takes no new connection, and cuts off what is left after a while. While it lingers, in
 * milliseconds, it goes on answering, so that callers can learn from the answers to go elsewhere.
 */
export async function stopListening(server: Server, lingerMs: number): Promise<void> {
  if (lingerMs > 0) await new Promise((resolve) => setTimeout(resolve, lingerMs))
  // The server's own `close` would end at once connections that are kept alive, on which a request may be arriving.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
  if (lingerMs === 0) server.closeIdleConnections()
  // A connection that is kept alive becomes idle only when its request is answered; one that never sent anything, never.
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
  // Nothing is left to close, but its timer.
  server.close()
}
