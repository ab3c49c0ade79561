import { stat } from 'node:fs/promises'

/** How many bytes a file has, if there is one. */
export async function findFileSize(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
