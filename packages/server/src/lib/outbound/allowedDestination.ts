import ipaddr from 'ipaddr.js'
import type { Destination } from './destination.ts'

/** A private destination to which requests are allowed: a host name, or a network. */
export type AllowedDestination =
  | { readonly type: 'name'; readonly name: string; readonly port?: number }
  | { readonly type: 'range'; readonly range: Range; readonly port?: number }

type Range = ReturnType<typeof ipaddr.parseCIDR>

/** Whether a destination is allowed at this address of its host. */
export function isAllowedDestination(
  allowed: readonly AllowedDestination[],
  { host, port }: Destination,
  address: string
): boolean {
  return allowed.some((entry) => {
    if (entry.port !== undefined && entry.port !== port) return false
    return entry.type === 'name' ? entry.name === host : isWithin(address, entry.range)
  })
}

function isWithin(text: string, range: Range): boolean {
  const address = ipaddr.parse(text)
  return address.kind() === range[0].kind() && address.match(range)
}

/** Parses a comma-separated list; `undefined` if an entry is invalid. */
export function parseAllowedDestinations(text: string): readonly AllowedDestination[] | undefined {
  if (text.trim() === '') return []
  const entries = text.split(',').map((entry) => parseAllowedDestination(entry.trim()))
  return entries.every((entry) => entry !== undefined) ? entries : undefined
}

/** Describes the networks of a list that have host bits set, which are ambiguous: one address, or the whole network. */
export function describeHostBits(text: string): string | undefined {
  const entries = text.split(',').map((entry) => entry.trim())
  const issues = entries.filter(isCidr).flatMap((entry) => {
    const network = networkWithoutHostBits(entry)
    return network === undefined ? [] : [`"${entry}" has host bits set; use ${network}`]
  })
  return issues.length > 0 ? issues.join('; ') : undefined
}

/** Returns the network of a CIDR with host bits set; `undefined` if there are none. */
function networkWithoutHostBits(cidr: string): string | undefined {
  const [address, bits] = ipaddr.parseCIDR(cidr)
  const of = address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6
  const network = of.networkAddressFromCIDR(cidr).toString()
  return network === address.toString() ? undefined : `${network}/${bits}`
}

/** Parses `host`, `host:port`, an address, `address:port` or a CIDR; `undefined` for anything else. */
function parseAllowedDestination(text: string): AllowedDestination | undefined {
  if (text.includes('/')) {
    return isCidr(text) && networkWithoutHostBits(text) === undefined
      ? { type: 'range', range: ipaddr.parseCIDR(text) }
      : undefined
  }
  if (isAddress(text)) return rangeOf(text)
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? []
  const port = digits === undefined ? undefined : Number(digits)
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined
  const at = port === undefined ? {} : { port }
  if (bracketed !== undefined) return ipaddr.IPv6.isValid(bracketed) ? { ...rangeOf(bracketed), ...at } : undefined
  if (plain === undefined) return undefined
  if (isAddress(plain)) return { ...rangeOf(plain), ...at }
  const name = nameOf(plain)
  return name === undefined ? undefined : { type: 'name', name, ...at }
}

/** True for an IP address. Short and octal forms are not accepted, because they are easily misread. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(':') && ipaddr.IPv6.isValid(text))
}

function isCidr(text: string): boolean {
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || (text.includes(':') && ipaddr.IPv6.isValidCIDR(text))
}

function rangeOf(text: string): Extract<AllowedDestination, { type: 'range' }> {
  return { type: 'range', range: ipaddr.parseCIDR(`${text}/${text.includes(':') ? 128 : 32}`) }
}

/**
 * Normalizes a name as `URL` does, since it is compared with names from URLs. Names that end in a number are addresses.
 */
function nameOf(text: string): string | undefined {
  if (!/^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*\.?$/u.test(text) || !URL.canParse(`http://${text}`)) return undefined
  const { hostname } = new URL(`http://${text}`)
  return ipaddr.IPv4.isValid(hostname) ? undefined : hostname.replace(/\.$/, '')
}
