import { backoff } from '@burgee/kit'

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

/** The back-offs of a server: one for failures, and one for rejections of the SDK key. */
export interface RetryBackoff {
  /** Returns the wait after one more failure. */
  readonly next: (isRefused: boolean) => number
  /** Restarts both with their first wait. */
  readonly reset: () => void
}

/**
 * Creates the back-offs of a server. A rejected key has separate, longer waits: it may become valid again, and few
 * requests are made until then.
 */
export function retryBackoff(
  { initialMs = 1_000, maxMs = DEFAULT_MAX_MS, refusedMs = 300_000, refusedMaxMs = 3_600_000 }: RetryOptions = {},
  random: () => number = Math.random
): RetryBackoff {
  const failures = backoff({ initialMs, maxMs, random })
  const refusals = backoff({ initialMs: refusedMs, maxMs: refusedMaxMs, random })
  return {
    next: (isRefused) => (isRefused ? refusals : failures).next(),
    reset: () => {
      failures.reset()
      refusals.reset()
    }
  }
}
