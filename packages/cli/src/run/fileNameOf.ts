import { createHash } from 'node:crypto'

/** Returns a name for the file of what has these parts: other parts have another name. */
export function fileNameOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
