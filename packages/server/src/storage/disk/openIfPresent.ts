import { type FileHandle, open } from 'node:fs/promises'
import { hasCode } from '@burgee/kit/files'

/** Opens a file for reading; returns `undefined` if there is none. */
export async function openIfPresent(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
