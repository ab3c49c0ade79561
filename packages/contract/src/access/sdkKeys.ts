import type { SdkKeyType } from '../operation.ts'

/** Whether keys of a type are public: web pages and apps contain them. */
export function isPublicKeyType(type: SdkKeyType): type is 'client' | 'mobile' {
  return type !== 'server'
}

/** Returns the type of an SDK key by its prefix, also of an imported one; `undefined` if the text is not an SDK key. */
export function parseSdkKeyType(key: string): SdkKeyType | undefined {
  // The pattern matches types only.
  return PREFIX.exec(key)?.[1] as SdkKeyType | undefined
}

const PREFIX = /^(?:dvc_)?(mobile|client|server)[-_]/

/** The members of an SDK key that decide whether it may be used. */
interface SdkKeyState {
  readonly compromised?: boolean | undefined
  readonly expiresAt?: string | undefined
}

/** Returns the keys that are neither compromised nor expired, in the given order: the newest is last. */
export function usableKeys<K extends SdkKeyState>(keys: readonly K[], now: number): K[] {
  return keys.filter(({ compromised, expiresAt }) => !compromised && !(expiresAt && Date.parse(expiresAt) <= now))
}
