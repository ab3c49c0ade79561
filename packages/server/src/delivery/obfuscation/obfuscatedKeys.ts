import type { Config } from '@burgee/core'
import { obfuscatedKey } from '@burgee/kit/obfuscatedKey'
import { memoizeByIdentity } from '../../lib/object.ts'

/** The obfuscated keys of a config, computed once per config. */
export const obfuscatedKeys = memoizeByIdentity((_config: Config): ((id: string) => string) => {
  const known = new Map<string, string>()
  return (id) => {
    const key = known.get(id) ?? obfuscatedKey(id)
    known.set(id, key)
    return key
  }
})
