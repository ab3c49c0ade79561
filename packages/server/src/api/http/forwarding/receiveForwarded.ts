import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { UncertainWriteError } from '../../../storage/store.ts'
import { handOver } from '../request/handOver.ts'
import { takePeerAddress } from './peerAddress.ts'

/** The response header that makes a worker wait before it passes the response on. */
export const UNSETTLED_HEADER = 'x-burgee-unsettled'

/**
 * The request header of events that may have been stored. The main process reports that instead of storing them again.
 */
export const UNCERTAIN_HEADER = 'x-burgee-uncertain'

/**
 * Answers the requests that workers forward. A response that may report a change is marked while there are workers that
 * do not evaluate with it yet.
 */
export function receiveForwarded(callback: RequestListener, isSettled: () => boolean): RequestListener {
  return (request, response) => {
    takePeerAddress(request)
    takeUncertainHeader(request)
    markUnsettled(response, isSettled)
    callback(request, response)
  }
}

function takeUncertainHeader(request: IncomingMessage): void {
  if (request.headers[UNCERTAIN_HEADER] === undefined) return
  delete request.headers[UNCERTAIN_HEADER]
  handOver(request, { isCounted: false, failure: new UncertainWriteError('the events may have been stored') })
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
