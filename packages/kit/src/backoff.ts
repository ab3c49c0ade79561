/** Delays that grow with consecutive failures. */
export interface Backoff {
  /** Returns the delay after another failure, in milliseconds. */
  readonly next: () => number
  /** Returns to the initial delay, after success. */
  readonly reset: () => void
}

interface BackoffOptions {
  /** The first delay, in milliseconds. */
  readonly initialMs: number
  /** The longest delay, in milliseconds. */
  readonly maxMs: number
  /** Returns a random number, at least 0 and less than 1. */
  readonly random: () => number
}

/**
 * Creates an exponential back-off: the delay doubles with each failure. Random jitter shortens each delay by up to a
 * half, so that many clients do not retry at once.
 */
export function backoff({ initialMs, maxMs, random }: BackoffOptions): Backoff {
  let failures = 0
  return {
    next: () => Math.min(maxMs, initialMs * 2 ** failures++) * (1 - random() / 2),
    reset: () => {
      failures = 0
    }
  }
}
