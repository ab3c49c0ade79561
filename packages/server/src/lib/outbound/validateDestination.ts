import { type AllowedDestination, isAllowedDestination } from './allowedDestination.ts'
import { type Destination, parseDestination } from './destination.ts'
import { isPublicAddress } from './isPublicAddress.ts'

/**
 * What keeps an address from being called, as far as it can be told without resolving its name: addresses in it that are not public, users,
 * other protocols. `undefined` where nothing does.
 */
export function validateDestination(url: string, allowed: readonly AllowedDestination[]): string | undefined {
  const target = parseDestination(url)
  if (typeof target === 'string') return target
  if (target.isLiteral) return validateAddresses(target, [target.host], allowed)
  return /(^|\.)localhost$/.test(target.host) ? validateAddresses(target, ['127.0.0.1', '::1'], allowed) : undefined
}

/** Why a host with these addresses may not be called. One that may not is enough: nobody knows which will be taken the next time. */
export function validateAddresses(
  target: Destination,
  addresses: readonly string[],
  allowed: readonly AllowedDestination[]
): string | undefined {
  const refused = addresses.find(
    (address) => !isPublicAddress(address) && !isAllowedDestination(allowed, target, address)
  )
  if (refused === undefined) return undefined
  // Which one is not told: it would tell of a network to whoever has its names tried.
  const what = target.isLiteral
    ? `${refused} is not public`
    : `${target.host} resolves to an address that is not public`
  return `${what}; list it in BURGEE_ALLOWED_PRIVATE_TARGETS if it is meant`
}
