import ipaddr from 'ipaddr.js'
import type { RateLimit } from '../../../lib/rateLimiter.ts'

/** Applies a limit to all addresses of a network together. */
export function limitPerNetwork(limit: RateLimit): RateLimit {
  return (address, count) => limit(networkOf(address), count)
}

/** Returns an IPv4 address, or the /64 network of an IPv6 address: providers assign a whole /64 to one customer. */
export function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
