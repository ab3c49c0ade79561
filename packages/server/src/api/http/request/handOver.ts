import type { IncomingMessage } from 'node:http'

/** What the fast path has done for a request before it passed it on to the application. */
export interface HandOver {
  /** The body, if it has been received. */
  readonly body?: Buffer
  /** The request has been counted by the rate limit of its operation. */
  readonly isCounted: boolean
  /** Why the request fails, if that has been decided. */
  readonly failure?: unknown
}

const handOvers = new WeakMap<IncomingMessage, HandOver>()

/** Records what the fast path has done for a request that it passes on to the application. */
export function handOver(request: IncomingMessage, work: HandOver): void {
  handOvers.set(request, work)
}

/** Returns what the fast path has done for a request; undefined if it did not handle it. */
export function findHandOver(request: IncomingMessage): HandOver | undefined {
  return handOvers.get(request)
}
