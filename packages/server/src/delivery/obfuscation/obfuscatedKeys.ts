import { createHash } from 'node:crypto'
import type { Config } from '@burgee/core'
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

/** Returns the obfuscated key of the resource with this id; generated code uses the same key. */
export function obfuscatedKey(id: string): string {
  return `dvc_obfs_${createHash('sha256').update(id).digest('hex')}`
}
