import type { IncomingMessage } from 'node:http'
import { findHandOver } from '../request/handOver.ts'
import type { FastRoute } from './fastRoutes.ts'
import { hasNoBody, smallBodyLength } from './smallBody.ts'

/**
 * Whether a request has nothing that only the application handles: a dashboard session, repeated credentials, or a
 * failure that a worker reports.
 */
export function isOrdinary(request: IncomingMessage): boolean {
  return request.headers.cookie === undefined && !hasRepeatedCredential(request) && !findHandOver(request)
}

/** Returns the length of the body of a request; undefined if the fast path does not read it. */
export function bodyLengthOf(request: IncomingMessage, { parseBody }: FastRoute): number | undefined {
  if (parseBody) return smallBodyLength(request)
  return hasNoBody(request) ? 0 : undefined
}

/** Node drops all but the first of several `Authorization` headers. */
function hasRepeatedCredential({ rawHeaders }: IncomingMessage): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) count++
  }
  return count > 1
}

const AUTHORIZATION = 'authorization'
