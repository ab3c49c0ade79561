import { networkOf } from '../../../lib/network.ts'
import type { RateLimit } from '../../../lib/rateLimiter.ts'

/** Applies a limit to all addresses of a network together. */
export function limitPerNetwork(limit: RateLimit): RateLimit {
  return (address, count) => limit(networkOf(address), count)
}
