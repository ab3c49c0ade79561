import { createHash } from 'node:crypto'

/**
 * Returns the key in obfuscated client configs of the resource with this id
 * (docs/reference/delivery.md#what-a-client-key-shows). The server and generated code must agree.
 */
export function obfuscatedKey(id: string): string {
  return `dvc_obfs_${createHash('sha256').update(id).digest('hex')}`
}
