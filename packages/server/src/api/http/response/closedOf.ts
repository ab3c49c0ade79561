import type { ServerResponse } from 'node:http'

/** Resolves when a response has been sent, or its connection is closed. */
export function closedOf(response: ServerResponse): Promise<void> {
  if (response.destroyed || response.writableFinished) return Promise.resolve()
  return new Promise((resolve) => {
    // Only one of them is certain: a response is not finished when the client disconnects.
    for (const event of ['finish', 'close']) response.once(event, () => resolve())
  })
}
