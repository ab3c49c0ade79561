import type { Config } from '@burgee/core'
import { memoizeByIdentity } from '../../lib/object.ts'
import { obfuscatedKeys } from './obfuscatedKeys.ts'

/**
 * The variable's own key, where it goes by its obfuscated one; any other text as it is. Events that come with
 * `obfuscated=1` name their targets so, but those that applications invent: they are counted under the key that people know.
 */
export function deobfuscateKey({ config }: { readonly config: Config }, key: string): string {
  return plainKeys(config).get(key) ?? key
}

const plainKeys = memoizeByIdentity((config: Config): ReadonlyMap<string, string> => {
  const obfuscated = obfuscatedKeys(config)
  return new Map(config.variables.map(({ _id, key }) => [obfuscated(_id), key]))
})
