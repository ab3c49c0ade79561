import ipaddr from 'ipaddr.js'

/**
 * Returns the network by which limits count an address: an IPv4 address, or the /64 network of an IPv6 address, since
 * providers assign a whole /64 to one customer. Other text is returned unchanged.
 */
export function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
