import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Puts a file in place, or in the place of another, so that a crash at any moment leaves the old text or the new one:
 * a temporary file beside it, fsync, rename, fsync of the directory. Only its owner can read it, unless `mode` says more.
 */
export async function writeFileAtomic(path: string, text: string | Iterable<string>, mode = 0o600): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    const file = await open(temporary, 'wx', mode)
    try {
      await writeFile(file, text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncDirectory(dirname(path))
}

/** Makes the names in a directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Deletes what `writeDurably` left behind when its process ended in the middle of it. */
export async function removeTemporaryFiles(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (/\.[0-9a-f-]{36}\.tmp$/.test(name)) await rm(join(directory, name), { force: true })
  }
}
