import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse
} from 'node:http'
import { UncertainWriteError } from '../../../storage/store.ts'
import { findHandOver } from '../request/handOver.ts'
import { sendPlainError } from '../response/plainError.ts'
import { PEER_HEADER, peerAddressOf } from './peerAddress.ts'
import { UNCERTAIN_HEADER, UNSETTLED_HEADER } from './receiveForwarded.ts'

interface Options {
  /** The socket at which the main process takes requests. */
  readonly socketPath: string
  /** Resolves when all workers evaluate with the changes so far. */
  readonly settle: () => Promise<void>
  /** Whether responses ask clients to open a new connection. */
  readonly isStopping: () => boolean
}

/** Forwards requests to the main process, and its responses to the clients. */
export function forwardRequests({ socketPath, settle, isStopping }: Options): RequestListener {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS, scheduling: 'lifo' })
  return (incoming, response) => {
    const outgoing = request({
      agent,
      socketPath,
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      headers: toForwardedHeaders(incoming),
      setHost: false,
      maxHeaderSize: MAX_RESPONSE_HEADER_BYTES
    })
    let isAnswered = false
    outgoing.on('response', (received) => {
      isAnswered = true
      const send = () => sendResponse(response, received, isStopping())
      if (received.headers[UNSETTLED_HEADER] === undefined) send()
      else settle().then(send, () => refuse(response))
    })
    // The main process may answer before it has read the whole body, and then close the connection.
    outgoing.on('error', () => isAnswered || refuse(response))
    // The main process decides what the end of the client's side means. The request may not be sent completely yet.
    const passEndOn = () => {
      if (outgoing.writableFinished) outgoing.socket?.end()
      else outgoing.once('finish', () => outgoing.socket?.end())
    }
    incoming.socket.once('end', passEndOn)
    response.on('close', () => {
      incoming.socket.off('end', passEndOn)
      // Also when the client disconnects, so that the main process stops its work.
      outgoing.destroy()
    })
    sendBody(incoming, outgoing)
  }
}

/** Connections that are idle for longer are closed here, before the main process closes them. */
const IDLE_MS = 5_000

const MAX_RESPONSE_HEADER_BYTES = 64 * 1024

function sendBody(incoming: IncomingMessage, outgoing: ClientRequest): void {
  const handOver = findHandOver(incoming)
  if (handOver?.body) outgoing.end(handOver.body)
  else incoming.pipe(outgoing)
}

/** Returns the headers of a request without those of the connection, and with the address of the peer. */
function toForwardedHeaders(incoming: IncomingMessage): string[] {
  const { rawHeaders, headers, socket } = incoming
  const forwarded = [PEER_HEADER, peerAddressOf({ socket })]
  if (findHandOver(incoming)?.failure instanceof UncertainWriteError) forwarded.push(UNCERTAIN_HEADER, '1')
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (!OWN_REQUEST_HEADERS.has(name.toLowerCase())) forwarded.push(name, rawHeaders[index + 1] ?? '')
  }
  if (headers['transfer-encoding'] !== undefined) forwarded.push('transfer-encoding', 'chunked')
  // Node would announce a body.
  else if (headers['content-length'] === undefined) forwarded.push('content-length', '0')
  return forwarded
}

/**
 * Headers of one connection. Those that a client lists in `Connection` are forwarded, since it could otherwise remove
 * what a proxy has added.
 */
const CONNECTION_HEADERS = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade'
]

const OWN_REQUEST_HEADERS: ReadonlySet<string> = new Set([
  ...CONNECTION_HEADERS,
  'expect',
  PEER_HEADER,
  UNCERTAIN_HEADER
])

const OWN_RESPONSE_HEADERS: ReadonlySet<string> = new Set([...CONNECTION_HEADERS, UNSETTLED_HEADER])

function sendResponse(response: ServerResponse, received: IncomingMessage, isStopping: boolean): void {
  const { statusCode = 502, rawHeaders, headers } = received
  const sent: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (!OWN_RESPONSE_HEADERS.has(name.toLowerCase())) sent.push(name, rawHeaders[index + 1] ?? '')
  }
  if (isStopping || headers.connection === 'close') sent.push('connection', 'close')
  // The end of some responses is that of the connection: of streams, for example.
  if (headers['transfer-encoding'] === undefined) response.removeHeader('transfer-encoding')
  response.writeHead(statusCode, sent)
  // Events of a stream can be far apart.
  response.flushHeaders()
  received.pipe(response)
  // A response that merely ended would look complete to the client.
  received.on('error', () => response.destroy())
}

/** Answers a request that did not reach the main process. */
function refuse(response: ServerResponse): void {
  if (response.destroyed) return
  sendPlainError(response, 503, 'the main process of the server does not respond; a change may have been stored', {
    'retry-after': '1',
    connection: 'close'
  })
}
