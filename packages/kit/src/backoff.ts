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
  /** The ratio of a delay to the previous one; 2 if omitted. */
  readonly factor?: number
  /**
   * The maximum random reduction of a delay, as a part of it, so that many clients do not retry at once; 0.5 if
   * omitted.
   */
  readonly jitter?: number
  /** Returns a random number, at least 0 and less than 1. */
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
