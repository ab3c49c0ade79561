/** Waits that grow with each failure in a row. */
export interface Backoff {
  /** Returns how many milliseconds to wait after one more failure. */
  readonly next: () => number
  /** Starts again with the first wait, after success. */
  readonly reset: () => void
}

interface BackoffOptions {
  /** The first wait, in milliseconds. */
  readonly initialMs: number
  /** The longest wait, in milliseconds. */
  readonly maxMs: number
  /** By how much each wait is longer than the one before it; 2 if omitted. */
  readonly factor?: number
  /** The part of each wait that is cut at random, so that many clients do not return at once; 0.5 if omitted. */
  readonly jitter?: number
  /** At least 0 and less than 1. */
  readonly random?: () => number
}

/** Creates an exponential back-off with jitter. */
export function backoff({ initialMs, maxMs, factor = 2, jitter = 0.5, random = Math.random }: BackoffOptions): Backoff {
  let failures = 0
  return {
    next: () => Math.min(maxMs, initialMs * factor ** failures++) * (1 - jitter * random()),
    reset: () => {
      failures = 0
    }
  }
}
