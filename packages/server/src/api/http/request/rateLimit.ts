import ipaddr from 'ipaddr.js'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ApiError } from '../../../lib/errors.ts'
import { toIsoString } from '../../../lib/time.ts'

/** Counts requests, or other units, of a caller. @throws {ApiError} 429 above the limit. */
export type RateLimit = (caller: string, count?: number) => Promise<void>

/** Creates a limit of units per caller and minute; 0 is unlimited. */
export function createRateLimit(perMinute: number, now: () => number, unit = 'requests'): RateLimit {
  if (perMinute === 0) return async () => {}
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return async (caller, count = 1) => {
    try {
      await limiter.consume(caller, count)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
      throw new ApiError(
        429,
        'rate_limited',
        `too many ${unit} (limit: ${perMinute} per minute); retry in ${seconds} s`,
        {
          headers: {
            'retry-after': String(seconds),
            'retry-later': toIsoString(now() + seconds * 1000)
          }
        }
      )
    }
  }
}

/** Applies a limit to all addresses of a network together. */
export function limitPerNetwork(limit: RateLimit): RateLimit {
  return (address, count) => limit(networkOf(address), count)
}

/** Returns the IPv4 address, or the /64 network of an IPv6 address: providers assign all of it to one customer. */
function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
