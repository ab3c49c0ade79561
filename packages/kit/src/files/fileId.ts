import { type FileHandle, stat } from 'node:fs/promises'

/** Whether a path still leads to an open file. It does not after the file was removed or replaced. */
export async function isSameFile(path: string, file: FileHandle): Promise<boolean> {
  const [found, own] = await Promise.all([findFileId(path), file.stat({ bigint: true })])
  return found === toFileId(own)
}

/** Returns the id (device and inode) of the file at a path, or `undefined` if there is none. */
export async function findFileId(path: string): Promise<string | undefined> {
  return (await findFile(path))?.id
}

/** Returns the id and the size of the file at a path, or `undefined` if there is none. */
export async function findFile(path: string): Promise<{ readonly id: string; readonly size: bigint } | undefined> {
  try {
    const status = await stat(path, { bigint: true })
    return { id: toFileId(status), size: status.size }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Returns the id of a file from its status. */
export function toFileId({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`
}

/** Whether an error of the file system has this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
