import type { RequestListener, ServerResponse } from 'node:http'
import { takePeerAddress } from './peerAddress.ts'

/** The response header that makes a worker wait before it passes the response on. */
export const UNSETTLED_HEADER = 'x-burgee-unsettled'

/**
 * Answers the requests that workers forward. A response that may report a change is marked while there are workers that
 * do not evaluate with it yet.
 */
export function receiveForwarded(callback: RequestListener, isSettled: () => boolean): RequestListener {
  return (request, response) => {
    takePeerAddress(request)
    markUnsettled(response, isSettled)
    callback(request, response)
  }
}

/** Every response begins with `writeHead`, which Node calls itself if the application does not. */
function markUnsettled(response: ServerResponse, isSettled: () => boolean): void {
  const { writeHead } = response
  response.writeHead = (...args: unknown[]) => {
    if (!isSettled()) response.setHeader(UNSETTLED_HEADER, '1')
    // The overloads of `writeHead` have no common signature.
    return writeHead.apply(response, args as Parameters<typeof writeHead>)
  }
}
