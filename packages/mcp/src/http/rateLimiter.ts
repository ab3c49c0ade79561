import { toRetrySeconds } from '@burgee/kit'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** Creates a limiter that returns the seconds to wait once a caller exceeds so many calls per minute; 0 sets no limit. */
export function createRateLimiter(perMinute: number): (callerId: string) => Promise<number | undefined> {
  if (perMinute === 0) return async () => undefined
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return async (callerId) => {
    try {
      await limiter.consume(callerId)
      return undefined
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection
      return toRetrySeconds(rejection.msBeforeNext)
    }
  }
}
