import { RateLimiterMemory } from 'rate-limiter-flexible'

/** Counts events by name within a minute, in memory: a restart clears the counts. */
export interface RateLimiter {
  /** Counts an event of a name, or `count` events. Returns the milliseconds to wait if that exceeds the limit. */
  readonly consume: (name: string, count?: number) => Promise<number | undefined>
  /** Counts an event of a name without limiting it. */
  readonly record: (name: string) => Promise<void>
  /** Takes back an event of a name that was counted. */
  readonly refund: (name: string) => Promise<void>
  /** Returns the milliseconds to wait while a name has reached the limit. */
  readonly findWait: (name: string) => Promise<number | undefined>
  readonly reset: (name: string) => Promise<void>
}

/** Creates a limiter of `perMinute` events per name; 0 sets no limit. */
export function createRateLimiter(perMinute: number): RateLimiter {
  if (perMinute === 0) return unlimited
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return {
    consume: async (name, count = 1) => {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(keyOf(name), count)
      return consumedPoints > perMinute ? msBeforeNext : undefined
    },
    record: async (name) => void (await limiter.penalty(keyOf(name))),
    refund: async (name) => {
      const counted = await limiter.get(keyOf(name))
      // Without this, an event of an earlier minute would raise the limit.
      if (counted && counted.consumedPoints > 0) await limiter.reward(keyOf(name))
    },
    findWait: async (name) => {
      const counted = await limiter.get(keyOf(name))
      return counted && counted.consumedPoints >= perMinute ? counted.msBeforeNext : undefined
    },
    reset: async (name) => void (await limiter.delete(keyOf(name)))
  }
}

const unlimited: RateLimiter = {
  consume: async () => undefined,
  record: async () => {},
  refund: async () => {},
  findWait: async () => undefined,
  reset: async () => {}
}

const MAX_NAME_LENGTH = 500

/** Names contain text of callers, which could be long. */
function keyOf(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH)
}
