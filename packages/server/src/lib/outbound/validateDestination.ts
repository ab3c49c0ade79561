import { type AllowedDestination, isAllowedDestination } from './allowedDestination.ts'
import { type Destination, parseDestination } from './destination.ts'
import { isPublicAddress } from './isPublicAddress.ts'

/**
 * Returns why a URL must not be called, without resolving its name: an address that is not public, a user, another
 * protocol. Returns `undefined` if nothing forbids it.
 */
export function validateDestination(url: string, allowed: readonly AllowedDestination[]): string | undefined {
  const target = parseDestination(url)
  if (typeof target === 'string') return target
  if (target.isLiteral) return validateAddresses(target, [target.host], allowed)
  return /(^|\.)localhost$/.test(target.host) ? validateAddresses(target, ['127.0.0.1', '::1'], allowed) : undefined
}

/**
 * Returns why a host with these addresses must not be called. One forbidden address suffices, since any of them could
 * be used.
 */
export function validateAddresses(
  target: Destination,
  addresses: readonly string[],
  allowed: readonly AllowedDestination[]
): string | undefined {
  const refused = addresses.find(
    (address) => !isPublicAddress(address) && !isAllowedDestination(allowed, target, address)
  )
  if (refused === undefined) return undefined
  // The address is not named: that would let users map an internal network.
  const what = target.isLiteral
    ? `${refused} is not public`
    : `${target.host} resolves to an address that is not public`
  return `${what}; list it in BURGEE_ALLOWED_PRIVATE_TARGETS to allow it`
}
