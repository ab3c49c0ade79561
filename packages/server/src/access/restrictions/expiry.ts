import { badRequest } from '../../lib/errors.ts'
import { toIsoString } from '../../lib/time.ts'

/** Returns the expiry of a request in UTC. @throws {HttpError} 400 if it is not after `at`. */
export function normalizeExpiry(expiresAt: string, at: string): string {
  const normalized = toIsoString(expiresAt)
  if (normalized > at) return normalized
  throw badRequest(`expiresAt should be in the future, after ${at}, got "${expiresAt}"`)
}

/** Whether a key, token, client or trust has expired. */
export function isExpired({ expiresAt }: { readonly expiresAt?: string | undefined }, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now
}
