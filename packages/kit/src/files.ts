import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export { configFolder } from './files/configFolder.ts'
export { findFile, findFileId, hasCode, isSameFile, toFileId } from './files/fileId.ts'
export { makeFolder } from './files/makeFolder.ts'

interface WriteOptions {
  /** Permissions of the file; 0o600 if omitted. */
  readonly mode?: number
  /** Runs when the new content is durable and not yet visible. If it throws, the old file stays in place. */
  readonly beforeRename?: (() => Promise<void>) | undefined
}

/**
 * Creates or replaces a file durably: writes a temporary file beside it, then fsync, rename, and fsync of the
 * directory. A crash at any moment leaves either the old content or the new one.
 */
export async function writeFileAtomic(
  path: string,
  text: string | Iterable<string> | AsyncIterable<string | Uint8Array>,
  { mode = 0o600, beforeRename }: WriteOptions = {}
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    const file = await open(temporary, 'wx', mode)
    try {
      await writeFile(file, text)
      await file.sync()
    } finally {
      await file.close()
    }
    await beforeRename?.()
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    // The reader of the message knows the file only.
    if (error instanceof Error) error.message = error.message.replaceAll(temporary, path)
    throw error
  }
  await syncDirectory(dirname(path))
}

/** Makes the entries of a directory durable. Does nothing on Windows, which cannot open directories. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Deletes the temporary files that an interrupted `writeFileAtomic` left in a directory. */
export async function removeTemporaryFiles(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (/\.[0-9a-f-]{36}\.tmp$/.test(name)) await rm(join(directory, name), { force: true })
  }
}

/** Returns the mode of a file or folder that other users can change, for example `777`; `undefined` if none can. */
export async function findSharedMode(path: string, platform: NodeJS.Platform): Promise<string | undefined> {
  // Modes have no meaning on Windows.
  if (platform === 'win32') return undefined
  const { mode } = await stat(path)
  return (mode & 0o022) === 0 ? undefined : (mode & 0o777).toString(8)
}
