import { RateLimiterMemory } from 'rate-limiter-flexible'
import { ApiError } from '../../lib/errors.ts'

/** Limits failed authentication attempts. See docs/reference/management.md#failed-attempts. */
export interface FailedAttemptLimiter {
  /** @throws {ApiError} 429 with `Retry-After` while one of these names has too many failed attempts. */
  readonly assertAllowed: (names: readonly string[]) => Promise<void>
  /** Counts a failed attempt for these names. */
  readonly recordFailure: (names: readonly string[]) => Promise<void>
  /** Clears the failed attempts of these names after a successful one. */
  readonly reset: (names: readonly string[]) => Promise<void>
}

/** The default number of failed attempts per name and minute. */
const MOST = 10
const SECONDS = 60
const LONGEST_NAME = 500

/** Keeps the failed attempts of the last minute in memory; a restart clears them. */
export function createFailedAttemptLimiter(most = MOST): FailedAttemptLimiter {
  const limiter = new RateLimiterMemory({ points: most, duration: SECONDS })
  return {
    assertAllowed: async (names) => {
      for (const name of names) {
        const counted = await limiter.get(nameOf(name))
        if (counted && counted.consumedPoints >= most) throw tooMany(most, counted.msBeforeNext)
      }
    },
    recordFailure: async (names) => {
      for (const name of names) await limiter.penalty(nameOf(name))
    },
    reset: async (names) => {
      for (const name of names) await limiter.delete(nameOf(name))
    }
  }
}

/** Names contain caller-supplied text, so their length is limited. They are kept for a minute. */
function nameOf(name: string): string {
  return name.slice(0, LONGEST_NAME)
}

function tooMany(most: number, milliseconds: number): ApiError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000))
  const message = `too many failed attempts (limit: ${most} per minute); retry in ${seconds} s`
  return new ApiError(429, 'rate_limited', message, { headers: { 'retry-after': String(seconds) } })
}
