import type { Config } from '@burgee/core'
import { memoizeByIdentity } from '../../lib/object.ts'
import { obfuscatedKeys } from './obfuscatedKeys.ts'

/**
 * Returns the key of the variable with this obfuscated key; returns other keys unchanged. Events sent with
 * `obfuscated=1` contain obfuscated variable keys, but plain custom event types. Counts use the plain key.
 */
export function deobfuscateKey({ config }: { readonly config: Config }, key: string): string {
  return plainKeys(config).get(key) ?? key
}

const plainKeys = memoizeByIdentity((config: Config): ReadonlyMap<string, string> => {
  const obfuscated = obfuscatedKeys(config)
  return new Map(config.variables.map(({ _id, key }) => [obfuscated(_id), key]))
})
