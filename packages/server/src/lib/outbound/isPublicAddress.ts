import ipaddr from 'ipaddr.js'

/** Whether an address is on the public internet. Addresses that embed a private address are not. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !CLOUD_METADATA_ADDRESSES.has(text)
  if (address.zoneId !== undefined) return false
  // NAT64 gateways (RFC 6052) translate this prefix to the embedded IPv4 address.
  // Hosts with an ISATAP tunnel (RFC 5214) send to the embedded IPv4 address.
  const embedsAddress = address.match(NAT64) || isIsatap(address)
  if (embedsAddress && !isPublicAddress(embeddedIn(address))) return false
  if (address.match(NAT64)) return true
  // All allocated unicast addresses are in this range. ipaddr.js has no range for others, such as ::127.0.0.1.
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST)
}

/** Public addresses of cloud metadata services: Azure's WireServer. */
const CLOUD_METADATA_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16'])

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Whether the interface identifier is one of ISATAP, `0:5efe` or `200:5efe` before the IPv4 address. */
function isIsatap({ parts: [, , , , first = 0, second] }: ipaddr.IPv6): boolean {
  return (first & ~0x200) === 0 && second === 0x5efe
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

function embeddedIn(address: ipaddr.IPv6): string {
  return new ipaddr.IPv4(address.toByteArray().slice(-4)).toString()
}
