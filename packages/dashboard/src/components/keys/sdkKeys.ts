import type { SdkKey, SdkKeys } from '@burgee/contract/schemas'

/** The types of SDK keys. */
export type KeyType = keyof SdkKeys

/** The characters of a key that are always shown, and typed before it is revoked. */
const SHOWN = 6

const DOTS = '•'.repeat(8)

/** The last characters of a key, which distinguish keys in lists. */
export function keyEnd(key: string): string {
  return key.slice(-SHOWN)
}

/** A key as it is shown until a person reveals it: its type and its last characters. */
export function maskKey(key: string): string {
  const type = /^[a-z]+-/.exec(key)?.[0] ?? ''
  return `${type}${DOTS}${keyEnd(key)}`
}

/** The placeholder for a key that was not loaded, by type. */
export function maskedKey(type: KeyType): string {
  return `${type}-${DOTS}`
}

/** Whether a key has reached its expiry. */
export function isExpired({ expiresAt }: SdkKey, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now
}

/** The newest key of a type that works. */
export function newestKey(keys: SdkKeys | undefined, type: KeyType, now: number): string | undefined {
  return keys?.[type].findLast((key) => !isExpired(key, now) && !key.compromised)?.key
}
