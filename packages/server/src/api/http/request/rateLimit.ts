import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ApiError } from '../../../lib/errors.ts'
import { toIsoString } from '../../../lib/time.ts'

/** Counts a request of a caller, or so many of what is counted. @throws {ApiError} 429 once the caller has had too many. */
export type RateLimit = (caller: string, count?: number) => Promise<void>

/** Lets each caller make so many requests in a minute, or send so many of something else; 0 lets them make any number. */
export function createRateLimit(perMinute: number, now: () => number, unit = 'requests'): RateLimit {
  if (perMinute === 0) return async () => {}
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return async (caller, count = 1) => {
    try {
      await limiter.consume(caller, count)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
      throw new ApiError(429, 'rate_limited', `more than ${perMinute} ${unit} in a minute; go on in ${seconds} s`, {
        headers: {
          'retry-after': String(seconds),
          'retry-later': toIsoString(now() + seconds * 1000)
        }
      })
    }
  }
}
