import { type AllowedTarget, isAllowed } from './allowedTarget.ts'
import { isPublicAddress } from './publicAddress.ts'
import { readTarget, type Target } from './target.ts'

/**
 * What keeps an address from being called, as far as it can be told without resolving its name: addresses in it that are not public, users,
 * other protocols. `undefined` where nothing does.
 */
export function mistakeOfTarget(url: string, allowed: readonly AllowedTarget[]): string | undefined {
  const target = readTarget(url)
  if (typeof target === 'string') return target
  if (target.isLiteral) return refusalOf(target, [target.host], allowed)
  return /(^|\.)localhost$/.test(target.host) ? refusalOf(target, ['127.0.0.1', '::1'], allowed) : undefined
}

/** Why a host with these addresses may not be called. One that may not is enough: nobody knows which will be taken the next time. */
export function refusalOf(
  target: Target,
  addresses: readonly string[],
  allowed: readonly AllowedTarget[]
): string | undefined {
  const refused = addresses.find((address) => !isPublicAddress(address) && !isAllowed(allowed, target, address))
  if (refused === undefined) return undefined
  // Which one is not told: it would tell of a network to whoever has its names tried.
  const what = target.isLiteral
    ? `${refused} is not public`
    : `${target.host} resolves to an address that is not public`
  return `${what}; list it in BURGEE_ALLOWED_PRIVATE_TARGETS if it is meant`
}
