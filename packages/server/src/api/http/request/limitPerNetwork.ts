import ipaddr from 'ipaddr.js'
import type { RateLimit } from '../../../lib/rateLimiter.ts'

/** Holds for all addresses together that are commonly one household's or one server's. */
export function limitPerNetwork(limit: RateLimit): RateLimit {
  return (address, count) => limit(networkOf(address), count)
}

/** An IPv4 address as it is, however it is written; of an IPv6 address the first half: whoever has one has them all. */
function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
