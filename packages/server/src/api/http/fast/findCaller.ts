import type { KeyConfigs } from '../../../delivery/configs/configs.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { toCredential } from '../../../identity/oauth/bearerToken.ts'
import { setWithinLimit } from '../../../lib/object.ts'

/** Finds the caller of an `Authorization` header, or else of an `X-API-Key` header; undefined if the key is unknown. */
type FindCaller = (authorization: string, apiKey: string) => KeyConfig | undefined

/**
 * Creates the look-up of callers. It caches `Authorization` headers with known keys until any key changes, which
 * saves the digest of the key. Timing reveals no key: only complete headers that were accepted before are found faster.
 */
export function createFindCaller({ current, version }: Pick<KeyConfigs, 'current' | 'version'>): FindCaller {
  const callers = new Map<string, KeyConfig>()
  let rememberedVersion: unknown
  return (authorization, apiKey) => {
    if (rememberedVersion !== version()) {
      callers.clear()
      rememberedVersion = version()
    }
    const remembered = callers.get(authorization)
    if (remembered) return remembered
    const credential = toCredential(authorization)
    const key = credential || apiKey.trim()
    const caller = key === '' ? undefined : current(key)
    if (caller && credential && authorization.length <= MAX_LENGTH)
      setWithinLimit(callers, MAX_HEADERS, authorization, caller)
    return caller
  }
}

/** A key can be sent with any white space before it. */
const MAX_HEADERS = 1_000

/** Longer headers are not cached, so that the cache takes less than a megabyte. */
const MAX_LENGTH = 256
