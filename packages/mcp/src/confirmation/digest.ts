import { createHash } from 'node:crypto'
import stringify from 'fast-json-stable-stringify'

/** What tells one value from every other: the SHA-256 of its JSON, whatever the order of its members. */
export function digest(value: unknown): string {
  return createHash('sha256').update(stringify(value)).digest('base64url')
}
