import { formatValue } from '@burgee/kit/text'
import { isInNetworks } from '../../access/restrictions/allowedNetworks.ts'
import { compileOrigins } from '../../access/restrictions/allowedOrigins.ts'
import { RestrictionError } from '../../access/restrictions/restrictionError.ts'
import { memoizeByIdentity } from '../../lib/object.ts'
import { toIsoString } from '../../lib/time.ts'
import type { SdkKey, StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'

/** When and from where an SDK key is accepted, compiled. */
export interface KeyRestrictions {
  /** Epoch milliseconds; infinite for a key that does not expire. */
  readonly expiresAt: number
  readonly allowsAddress: ((address: string) => boolean) | undefined
  readonly allowsOrigin: ((origin: string) => boolean) | undefined
}

/** An SDK key that may have restrictions, and its environment. */
interface RestrictedKey {
  readonly restrictions: KeyRestrictions | undefined
  readonly project: Pick<StoredProject, 'key'>
  readonly environment: Pick<StoredEnvironment, 'key'>
}

/** The address and the web origin of a request. */
export interface RequestOrigin {
  readonly address: string
  /** The header `Origin`; empty if the request has none. */
  readonly origin: string
}

/** Compiles the restrictions of a key; `undefined` if it has none, so that its requests cost nothing. */
export const compileRestrictions = memoizeByIdentity(
  ({ expiresAt, allowedNetworks, allowedOrigins }: SdkKey): KeyRestrictions | undefined => {
    if (!expiresAt && !allowedNetworks && !allowedOrigins) return undefined
    return {
      expiresAt: expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
      allowsAddress: allowedNetworks && ((address) => isInNetworks(allowedNetworks, address)),
      allowsOrigin: allowedOrigins && compileOrigins(allowedOrigins)
    }
  }
)

/**
 * Returns why a key is not accepted at a time and from an origin. Messages may reveal restrictions, since the caller
 * has the whole key. For an expired key, the status is `expiredStatus`, that of unknown keys.
 */
export function findKeyRefusal(
  { restrictions, project, environment }: RestrictedKey,
  { address, origin }: RequestOrigin,
  now: number,
  expiredStatus = 401
): RestrictionError | undefined {
  if (!restrictions) return undefined
  const { expiresAt, allowsAddress, allowsOrigin } = restrictions
  const caller = { target: { project: project.key, environment: environment.key } }
  if (expiresAt <= now) {
    const message = `the SDK key expired at ${toIsoString(expiresAt)}; use another key of the environment`
    return new RestrictionError(expiredStatus, 'expired', message, caller)
  }
  if (allowsAddress && !allowsAddress(address)) {
    const message = `the SDK key is not accepted from the address ${address}: its allowedNetworks do not contain it`
    return new RestrictionError(403, 'network', message, caller)
  }
  if (allowsOrigin && origin !== '' && !allowsOrigin(origin)) {
    const message = `the SDK key is not accepted from the origin ${formatValue(origin)}: its allowedOrigins do not contain it`
    return new RestrictionError(403, 'origin', message, caller)
  }
  return undefined
}
