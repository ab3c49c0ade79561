/** The promises that are in progress. */
export interface InFlight {
  /** Tracks a promise until it settles. Returns a promise with the same outcome, which the caller must handle. */
  readonly track: <T>(promise: Promise<T>) => Promise<T>
  /** The number of promises that have not settled yet. */
  readonly size: () => number
  /** Resolves when all promises tracked so far have settled, regardless of their outcomes. */
  readonly settled: () => Promise<void>
}

/** Creates a tracker of promises, for example to wait for them on shutdown. */
export function inFlight(): InFlight {
  const pending = new Set<Promise<unknown>>()
  return {
    track: (promise) => {
      const tracked = promise.finally(() => pending.delete(tracked))
      pending.add(tracked)
      return tracked
    },
    size: () => pending.size,
    settled: async () => void (await Promise.allSettled(pending))
  }
}
