/** The waits between attempts. */
export interface RetryOptions {
  /** The first wait. Default: 1 second. */
  readonly initialMs?: number
  /** The longest wait while the server is unavailable. Default: 30 seconds. */
  readonly maxMs?: number
  /** The first wait after the server rejected the SDK key. Default: 5 minutes. */
  readonly refusedMs?: number
  /** The longest wait while the server rejects the SDK key. Default: 1 hour. */
  readonly refusedMaxMs?: number
}

/** The default of `maxMs`. */
export const DEFAULT_MAX_MS = 30_000

/** An exponential back-off: waits double with each failure until they are reset. */
export interface Backoff {
  /** Returns the wait after one more failure. */
  readonly next: (isRefused: boolean) => number
  /** Restarts with the first wait. */
  readonly reset: () => void
}

/**
 * Creates a back-off. A rejected key has separate, longer waits: it may become valid again, and few requests are made
 * until then. Random jitter shortens each wait by up to a half, so that clients do not retry together.
 */
export function backoff(
  { initialMs = 1_000, maxMs = DEFAULT_MAX_MS, refusedMs = 300_000, refusedMaxMs = 3_600_000 }: RetryOptions = {},
  random: () => number = Math.random
): Backoff {
  let failures = 0
  let refusals = 0
  return {
    next: (isRefused) => {
      const maxWait = isRefused
        ? Math.min(refusedMaxMs, refusedMs * 2 ** refusals++)
        : Math.min(maxMs, initialMs * 2 ** failures++)
      return maxWait * (1 - random() / 2)
    },
    reset: () => {
      failures = 0
      refusals = 0
    }
  }
}
