import { createHash } from 'node:crypto'
import type { Config } from '@burgee/core'
import { memoizeByIdentity } from '../../lib/object.ts'

/** What a thing of a config goes by where its own key is not to be read. Each is worked out once, as long as the config stands. */
export const obfuscatedKeys = memoizeByIdentity((_config: Config): ((id: string) => string) => {
  const known = new Map<string, string>()
  return (id) => {
    const key = known.get(id) ?? obfuscatedKey(id)
    known.set(id, key)
    return key
  }
})

/** What the thing with this id goes by, also in code that is generated for variables (`management.md` §5). */
export function obfuscatedKey(id: string): string {
  return `dvc_obfs_${createHash('sha256').update(id).digest('hex')}`
}
