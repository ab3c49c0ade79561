import { createHash } from 'node:crypto'

/** Returns a file name that is derived from these parts, and differs for other parts. */
export function fileNameOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
