import type { ServerResponse } from 'node:http'

/**
 * Whether nobody waits for a response, as far as is known. A client that ends its side of the connection may only have
 * sent its last request, so the response is still sent; work that waits for a turn is not worth it.
 */
export function isAbandoned({ req, destroyed }: ServerResponse): boolean {
  return destroyed || req.socket.readableEnded
}

/** Resolves when a response has been sent, or its connection is closed. */
export function closedOf(response: ServerResponse): Promise<void> {
  if (response.destroyed || response.writableFinished) return Promise.resolve()
  return new Promise((resolve) => {
    // Only one of them is certain: a response is not finished when the client disconnects.
    for (const event of ['finish', 'close']) response.once(event, () => resolve())
  })
}
