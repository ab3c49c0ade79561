import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { setWithinLimit } from './object.ts'

/**
 * Returns the network by which limits count an address: an IPv4 address, or the /64 network of an IPv6 address, since
 * providers assign a whole /64 to one customer. Other text is returned unchanged.
 */
export function networkOf(text: string): string {
  const known = networks.get(text)
  if (known !== undefined) return known
  if (!ipaddr.isValid(text)) return text
  const network = findNetwork(text)
  setWithinLimit(networks, MAX_NETWORKS, text, network)
  return network
}

/** The networks of recent addresses. Parsing an address takes longer than evaluating a flag. */
const networks = new Map<string, string>()

const MAX_NETWORKS = 10_000

function findNetwork(text: string): string {
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

/** Normalizes an address: removes the prefix of IPv4-mapped IPv6 addresses. */
export function normalizeAddress(text: string): string {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : text
}

/**
 * Returns whether addresses and networks lie in the network that a text names, for example `192.0.2.0/24`. Returns
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

/** A normalized network, or the issue of the text, phrased to follow the name of the property. */
export type NormalizedNetwork = { readonly network: string } | { readonly issue: string }

/**
 * Normalizes an address or network (CIDR): IPv4-mapped IPv6 becomes IPv4, IPv6 is compressed, and a network of one
 * address becomes that address.
 */
export function normalizeNetwork(text: string): NormalizedNetwork {
  const [address = '', length, ...others] = text.split('/')
  // `ipaddr.js` also accepts numbers and octal parts, which are ambiguous.
  const isAddress = isIP(address) !== 0 && !address.includes('%') && others.length === 0
  const full = isIP(address) === 4 ? 32 : 128
  const isLength = length === undefined || (/^(0|[1-9]\d{0,2})$/.test(length) && Number(length) <= full)
  if (!isAddress || !isLength)
    return { issue: 'should be an address or a network such as 192.0.2.0/24 or 2001:db8::/32' }
  const parsed = ipaddr.parse(address)
  const given = length === undefined ? full : Number(length)
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && given >= MAPPED_BITS
  const bits = isMapped ? given - MAPPED_BITS : given
  const own = isMapped ? parsed.toIPv4Address() : parsed
  if (bits === own.toByteArray().length * 8) return { network: own.toString() }
  const first = networkAddress(own, bits)
  if (first !== own.toString()) return { issue: `should be the first address of its network, ${first}/${bits}` }
  return { network: `${first}/${bits}` }
}

/** The bits before the IPv4 part of an IPv4-mapped IPv6 address. */
const MAPPED_BITS = 96

function networkAddress(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(Math.max(bits - index * 8, 0), 8)
    return byte & (0xff << (8 - kept)) & 0xff
  })
  return ipaddr.fromByteArray(bytes).toString()
}

/** Compiles a list of normalized networks to a predicate that matches the addresses in any of them. */
export function compileNetworks(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map(parseRange).filter((range) => range !== undefined)
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  }
}

/** True for loopback hosts, whose traffic never leaves this computer. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** True for `0.0.0.0` and `::`, which listen on every interface. */
export function isWildcard(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}
