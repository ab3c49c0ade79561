import { normalizeAddress } from '../../lib/network.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'
import { isInNetworks } from './allowedNetworks.ts'
import { isExpired } from './expiry.ts'
import { RestrictionError } from './restrictionError.ts'

/** The address and time at which a client or one of its tokens is used. */
export interface ClientUse {
  /** The address of the caller; not checked if undefined. */
  readonly address: string | undefined
  readonly now: number
}

/**
 * Returns why a client is not accepted. The message is for callers with a secret or token of the client, and for public
 * clients, whose ids are known.
 */
export function findClientRefusal(
  { clientId, expiresAt, ...client }: Pick<StoredClient, 'clientId' | 'expiresAt' | 'allowedNetworks'>,
  { address, now }: ClientUse
): RestrictionError | undefined {
  if (isExpired({ expiresAt }, now)) {
    return new RestrictionError(401, 'expired', `client "${clientId}" expired at ${expiresAt}`, { clientId })
  }
  if (!client.allowedNetworks || address === undefined) return undefined
  const normalized = normalizeAddress(address)
  if (isInNetworks(client.allowedNetworks, normalized)) return undefined
  const rule = `client "${clientId}" is not accepted from the address ${normalized}: its allowedNetworks do not contain it`
  return new RestrictionError(403, 'network', rule, { clientId })
}
