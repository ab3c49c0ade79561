import { toRetrySeconds } from '@burgee/kit'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** Creates a limiter of calls per minute. It returns the seconds to wait for callers over the limit. 0 sets no limit. */
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
