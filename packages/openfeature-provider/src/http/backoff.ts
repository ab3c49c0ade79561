/** How long to wait before trying again. */
export interface RetryOptions {
  /** The first wait; 1 second unless said otherwise. */
  readonly initialMs?: number
  /** The longest wait while the server does not answer; 30 seconds. */
  readonly maxMs?: number
  /** The first wait after the server refused the SDK key; 5 minutes. */
  readonly refusedMs?: number
  /** The longest wait while the server refuses the SDK key; 1 hour. */
  readonly refusedMaxMs?: number
}

/** The longest wait while the server does not answer, unless said otherwise. */
export const DEFAULT_MAX_MS = 30_000

/** Waits that double with each failure, and are back at the first one when health has lasted. */
export interface Backoff {
  /** How long to wait after one more failure. */
  readonly next: (isRefused: boolean) => number
  /** Says that all is well again for good. */
  readonly reset: () => void
}

/**
 * Makes a back-off. A refused key has waits of its own, which are long: it may be good again one day, so nobody gives
 * up, and until then few requests are made. Each wait is cut by up to a half at random, so that many do not return at once.
 */
export function backoff(
  { initialMs = 1_000, maxMs = DEFAULT_MAX_MS, refusedMs = 300_000, refusedMaxMs = 3_600_000 }: RetryOptions = {},
  random: () => number = Math.random
): Backoff {
  let failures = 0
  let refusals = 0
  return {
    next: (isRefused) => {
      const whole = isRefused
        ? Math.min(refusedMaxMs, refusedMs * 2 ** refusals++)
        : Math.min(maxMs, initialMs * 2 ** failures++)
      return whole * (1 - random() / 2)
    },
    reset: () => {
      failures = 0
      refusals = 0
    }
  }
}
