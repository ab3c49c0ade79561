import { type SdkKeyType, sdkKeyTypes } from '@burgee/contract'
import { parseSdkKeyType } from '@burgee/contract/access'
import type { KeyConfigs } from '../../delivery/configs/configs.ts'
import type { KeyConfig } from '../../delivery/configs/keyConfig.ts'
import { digestSdkKey } from '../../lib/secrets/checksum.ts'
import type { LocalConfig } from './localConfig.ts'

/** The keys of local configs, one of each type. */
export const localKeys: LocalConfig['keys'] = sdkKeyTypes.map((keyType) => {
  const key = localKey(keyType)
  const createdAt = new Date(0).toISOString()
  return { digest: digestSdkKey(key), keyType, createdAt, ...(keyType === 'client' ? { key } : {}) }
})

/** Accepts every SDK key with the prefix of a type, in place of the local key of that type. */
export function acceptAnyKey(configs: KeyConfigs): KeyConfigs {
  /** The types of the keys that were used, since digests do not reveal them. */
  const types = new Map<string, SdkKeyType>()
  /** The configs of a key stay the same objects until the config changes. */
  const named = new WeakMap<KeyConfig, Map<string, KeyConfig>>()
  const localConfig = (keyType: SdkKeyType) => configs.current(localKey(keyType))
  const withKey = (found: KeyConfig, sdkKey: string) => {
    const byKey = named.get(found) ?? new Map<string, KeyConfig>()
    named.set(found, byKey)
    const keyDigest = digestSdkKey(sdkKey)
    const known = byKey.get(keyDigest) ?? { ...found, sdkKey, keyDigest }
    byKey.set(keyDigest, known)
    return known
  }
  return {
    ...configs,
    current: (sdkKey) => {
      const keyType = parseSdkKeyType(sdkKey)
      const found = keyType && localConfig(keyType)
      if (!found) return undefined
      const known = withKey(found, sdkKey)
      if (types.size < MAX_KEYS) types.set(known.keyDigest, keyType)
      return known
    },
    // A stream knows only the digest. What it gets is not kept: the downloads of the key need the key.
    currentByDigest: (keyDigest) => {
      const keyType = types.get(keyDigest)
      const found = keyType && localConfig(keyType)
      return found && { ...found, sdkKey: '', keyDigest }
    }
  }
}

/** The number of keys whose streams can be opened. */
const MAX_KEYS = 10_000

function localKey(keyType: SdkKeyType): string {
  return `${keyType}-local`
}
