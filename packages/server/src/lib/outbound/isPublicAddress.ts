import ipaddr from 'ipaddr.js'

/**
 * Whether an address is one of the public internet. Those that are not reach this computer, its network, or nobody; so do those that carry
 * such an address inside.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !HOSTS_OF_CLOUDS.has(text)
  if (address.zoneId !== undefined) return false
  // Networks without IPv4 of their own see all the others under this prefix, and their gateway takes it off.
  if (address.match(NAT64)) return isPublicAddress(embeddedIn(address))
  // All that is handed out lies there. What lies elsewhere is no range of its own to ipaddr.js, as ::127.0.0.1.
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST)
}

/** Addresses that clouds took for services of the computer underneath: Azure's, which tells machines how to set themselves up. */
const HOSTS_OF_CLOUDS: ReadonlySet<string> = new Set(['168.63.129.16'])

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

function embeddedIn(address: ipaddr.IPv6): string {
  return new ipaddr.IPv4(address.toByteArray().slice(-4)).toString()
}
