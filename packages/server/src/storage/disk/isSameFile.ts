import { type FileHandle, stat } from 'node:fs/promises'

/** Whether a path still leads to the very file that is held open: it may have been removed, or replaced. */
export async function isSameFile(path: string, file: FileHandle): Promise<boolean> {
  try {
    const [named, ours] = await Promise.all([stat(path, { bigint: true }), file.stat({ bigint: true })])
    return named.ino === ours.ino && named.dev === ours.dev
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
