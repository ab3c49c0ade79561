import { stat } from 'node:fs/promises'
import { hasCode } from '@burgee/kit/files'

/** Returns the size of a file in bytes, or `undefined` if there is none. */
export async function findFileSize(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
