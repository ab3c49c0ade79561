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

/** Leaves a note for the application about a request that the fast path passes on. */
export function handOver(request: IncomingMessage, note: HandOver): void {
  handOvers.set(request, note)
}

/** Returns the note about a request, if the fast path has begun it. */
export function findHandOver(request: IncomingMessage): HandOver | undefined {
  return handOvers.get(request)
}
