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

/** Returns an address in its usual form: IPv4 addresses of IPv6 sockets without their prefix. */
export function normalizeAddress(text: string): string {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : text
}

/**
 * Returns whether addresses and networks lie in the network that a text names, as in `192.0.2.0/24`. Returns
 * `undefined` if it names none.
 */
export function parseNetwork(text: string): ((address: string) => boolean) | undefined {
  const range = parseRange(text)
  if (!range) return undefined
  const [network, bits] = range
  return (address) => {
    const other = parseRange(address)
    if (!other || other[0].kind() !== network.kind()) return false
    return other[1] >= bits && other[0].match(network, bits)
  }
}

function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!ipaddr.isValid(text)) return undefined
  const address = ipaddr.process(text)
  return [address, address instanceof ipaddr.IPv4 ? 32 : 128]
}
