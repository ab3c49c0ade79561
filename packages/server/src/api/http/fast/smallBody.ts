import type { IncomingMessage } from 'node:http'

/** The largest body that the fast path reads, in bytes: larger ones take their own turns of the event loop. */
const MAX_BYTES = 64 * 1024

/** Returns the length of a body that `receiveSmallBody` can read: plain JSON of a known and small length. */
export function smallBodyLength({ headers }: IncomingMessage): number | undefined {
  const length = Number(headers['content-length'])
  if (!(length > 0 && length <= MAX_BYTES) || headers['content-encoding'] !== undefined) return undefined
  return JSON_TYPE.test(headers['content-type'] ?? '') ? length : undefined
}

/** Whether a request has no body. Workers forward those with an empty one. */
export function hasNoBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}

const JSON_TYPE = /^application\/json(; ?charset=utf-8)?$/i

/**
 * Reads a body of a known length that has arrived completely; undefined if it has not. Most have: the request scheduler
 * starts requests after Node.js has read from all connections. It needs no listeners.
 */
export function readSmallBody(request: IncomingMessage, length: number): Buffer | undefined {
  if (!request.complete || request.readableLength !== length) return undefined
  // A stream without an encoding returns buffers.
  return (request.read() as Buffer | null) ?? undefined
}

/** Reads a body of a known length into one buffer. Calls `onBody` once: without a body if the client disconnects. */
export function receiveSmallBody(
  request: IncomingMessage,
  length: number,
  onBody: (body: Buffer | undefined) => void
): void {
  let body: Buffer | undefined
  let received = 0
  let isDone = false
  const finish = (result: Buffer | undefined) => {
    if (isDone) return
    isDone = true
    onBody(result)
  }
  request.on('data', (chunk: Buffer) => {
    // Most bodies arrive at once, and need no copy.
    if (chunk.length === length) body = chunk
    else {
      body ??= Buffer.allocUnsafe(length)
      chunk.copy(body, received)
      received += chunk.length
    }
  })
  request.on('end', () => finish(body))
  request.on('close', () => finish(undefined))
}
