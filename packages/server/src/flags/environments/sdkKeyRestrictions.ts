import type { SdkKeyType } from '@burgee/contract'
import type { UpdateSdkKey } from '@burgee/contract/schemas'
import { normalizeNetworks } from '../../access/restrictions/allowedNetworks.ts'
import { normalizeOrigins } from '../../access/restrictions/allowedOrigins.ts'
import { normalizeExpiry } from '../../access/restrictions/expiry.ts'
import { badRequest } from '../../lib/errors.ts'
import type { SdkKey } from '../../storage/resources/project.ts'

/**
 * Restricts a new or existing key; `null` removes a restriction.
 * @throws {HttpError} 400 for one that its type does not support.
 */
export function restrictSdkKey(
  sdkKey: SdkKey,
  type: SdkKeyType,
  { expiresAt, allowedNetworks, allowedOrigins }: UpdateSdkKey,
  at: string
): SdkKey {
  if (allowedNetworks) assertType('allowedNetworks', 'server', type)
  if (allowedOrigins) assertType('allowedOrigins', 'client', type)
  const changed = {
    ...(expiresAt ? { expiresAt: normalizeExpiry(expiresAt, at) } : {}),
    ...(allowedNetworks ? { allowedNetworks: normalizeNetworks(allowedNetworks) } : {}),
    ...(allowedOrigins ? { allowedOrigins: normalizeOrigins(allowedOrigins) } : {})
  }
  const removed = Object.entries({ expiresAt, allowedNetworks, allowedOrigins }).filter(([, value]) => value === null)
  const names = new Set(removed.map(([name]) => name))
  const kept = Object.entries({ ...sdkKey, ...changed }).filter(([name]) => !names.has(name))
  // Only optional members are removed.
  return Object.fromEntries(kept) as unknown as SdkKey
}

function assertType(name: keyof typeof REASONS, right: SdkKeyType, type: SdkKeyType): void {
  if (type !== right) throw badRequest(`${name} should be for a ${right} key, got a ${type} key: ${REASONS[name]}`)
}

const REASONS = {
  allowedNetworks: 'the addresses of browsers and devices change',
  allowedOrigins: 'only browsers send an origin'
} as const
