import { toRetrySeconds } from '@burgee/kit'
import { createRateLimiter } from '@burgee/kit/rateLimiter'
import { rateLimited } from '../errors.ts'
import { networkOf } from '../network.ts'

/** A limiter of events per minute that refuses events by errors. */
export interface RefusingLimiter {
  /** Counts an event of a name, or `count` events. @throws {HttpError} 429 when that exceeds the limit. */
  readonly consume: (name: string, count?: number) => Promise<void>
  /** Counts an event of a name without refusing it. */
  readonly record: (name: string) => Promise<void>
  /** Takes back an event of a name that was counted. */
  readonly refund: (name: string) => Promise<void>
  /** @throws {HttpError} 429 while a name has reached the limit. */
  readonly assertAllowed: (name: string) => Promise<void>
  readonly reset: (name: string) => Promise<void>
}

interface RefusingLimiterOptions {
  /** 0 means no limit. */
  readonly perMinute: number
  /** The beginning of the message: `too many failed attempts (limit: 10 per minute)`. */
  readonly reason: string
}

/** Creates a limiter of `perMinute` events per name. */
export function createRefusingLimiter({ perMinute, reason }: RefusingLimiterOptions): RefusingLimiter {
  const { consume, record, refund, findWait, reset } = createRateLimiter(perMinute)
  const refuseIf = (waitMs: number | undefined) => {
    if (waitMs !== undefined) throw rateLimited(`${reason}; retry in ${toRetrySeconds(waitMs)} s`, waitMs)
  }
  return {
    consume: async (name, count) => refuseIf(await consume(name, count)),
    record,
    refund,
    assertAllowed: async (name) => refuseIf(await findWait(name)),
    reset
  }
}

/** Counts events of a caller. @throws {HttpError} 429 when the caller exceeds the limit. */
export type RateLimit = (caller: string, count?: number) => Promise<void>

/**
 * Creates a limit of `perMinute` requests per caller; 0 means no limit. `unit` names what is counted, in the message.
 */
export function createRateLimit(perMinute: number, unit = 'requests'): RateLimit {
  return createRefusingLimiter({ perMinute, reason: `too many ${unit} (limit: ${perMinute} per minute)` }).consume
}

/** Applies a limit to all addresses of a network together. */
export function limitPerNetwork(limit: RateLimit): RateLimit {
  return (address, count) => limit(networkOf(address), count)
}
