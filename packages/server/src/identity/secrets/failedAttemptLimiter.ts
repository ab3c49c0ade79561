import { RateLimiterMemory } from 'rate-limiter-flexible'
import { ApiError } from '../../lib/errors.ts'

/** Counts who gives wrong secrets, so that nobody can go on guessing (`reliability.md` §5). */
export interface FailedAttemptLimiter {
  /** @throws {ApiError} 429 while one of these names has been given too many wrong secrets; `Retry-After` says for how long. */
  readonly assertAllowed: (names: readonly string[]) => Promise<void>
  /** A wrong secret was given under these names. */
  readonly recordFailure: (names: readonly string[]) => Promise<void>
  /** The right secret was given: what was wrong before counts no more. */
  readonly reset: (names: readonly string[]) => Promise<void>
}

/** How many wrong secrets a name can be given in a minute, unless it is said otherwise. */
const MOST = 10
const SECONDS = 60
const LONGEST_NAME = 500

/** The failed attempts of the last minute, in memory: a restart forgets them. */
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

/** Names hold what callers call themselves, and are kept for a minute. */
function nameOf(name: string): string {
  return name.slice(0, LONGEST_NAME)
}

function tooMany(most: number, milliseconds: number): ApiError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000))
  const message = `too many wrong secrets: ${most} in a minute are looked at; go on in ${seconds} s`
  return new ApiError(429, 'rate_limited', message, { headers: { 'retry-after': String(seconds) } })
}
