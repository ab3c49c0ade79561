import { retryAfterHeaders, toRetrySeconds } from '@burgee/kit'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { rateLimited } from './errors.ts'

/** Counts events by name within a minute, in memory: a restart clears the counts. */
export interface RateLimiter {
  /** Counts an event of a name, or `count` events. @throws {HttpError} 429 when that exceeds the limit. */
  readonly consume: (name: string, count?: number) => Promise<void>
  /** Counts an event of a name without refusing it. */
  readonly record: (name: string) => Promise<void>
  /** @throws {HttpError} 429 while a name has reached the limit. */
  readonly assertAllowed: (name: string) => Promise<void>
  readonly reset: (name: string) => Promise<void>
}

interface RateLimiterOptions {
  readonly perMinute: number
  /** The beginning of the message: `too many failed attempts (limit: 10 per minute)`. */
  readonly reason: string
  /** If given, responses have `Retry-Later` in addition to `Retry-After`. */
  readonly now?: () => number
}

/** Creates a limiter of `perMinute` events per name. */
export function createRateLimiter({ perMinute, reason, now }: RateLimiterOptions): RateLimiter {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  const refusal = (waitMs: number) => {
    const headers = now ? retryAfterHeaders(waitMs, now()) : undefined
    return rateLimited(`${reason}; retry in ${toRetrySeconds(waitMs)} s`, waitMs, headers)
  }
  return {
    consume: async (name, count = 1) => {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(keyOf(name), count)
      if (consumedPoints > perMinute) throw refusal(msBeforeNext)
    },
    record: async (name) => void (await limiter.penalty(keyOf(name))),
    assertAllowed: async (name) => {
      const counted = await limiter.get(keyOf(name))
      if (counted && counted.consumedPoints >= perMinute) throw refusal(counted.msBeforeNext)
    },
    reset: async (name) => void (await limiter.delete(keyOf(name)))
  }
}

/** Counts events of a caller. @throws {HttpError} 429 when the caller exceeds the limit. */
export type RateLimit = (caller: string, count?: number) => Promise<void>

/**
 * Creates a limit of `perMinute` requests per caller; 0 means no limit. `unit` names what is counted, in the message.
 */
export function createRateLimit(perMinute: number, now: () => number, unit = 'requests'): RateLimit {
  if (perMinute === 0) return async () => {}
  return createRateLimiter({ perMinute, reason: `too many ${unit} (limit: ${perMinute} per minute)`, now }).consume
}

const MAX_NAME_LENGTH = 500

/** Names contain text of callers, which could be long. */
function keyOf(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH)
}
