import { spawnSync } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { addCleanup } from '../cleanup.ts'
import { temporaryDirectory } from '../temporaryDirectory.ts'

/** The reason to skip tests with a small disk, for their names. */
export const NEEDS_MOUNT = 'skipped unless this user may mount a tmpfs'

/**
 * Mounts a file system in memory, with this many bytes, until the tests of the file are over. Returns its directory, or
 * `undefined` where the system does not permit that.
 */
export async function mountSmallDisk(bytes: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  const directory = await temporaryDirectory()
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory])
  if (status !== 0) return undefined
  addCleanup(() => spawnSync('umount', ['--lazy', directory]))
  return directory
}

/** Fills the disk of a directory with a file in it. Returns a function that removes the file. */
export async function fillDisk(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, 'filler')
  const file = await open(path, 'w')
  try {
    for (;;) await file.write(Buffer.alloc(4_096, 1))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    await file.close()
  }
  return () => rm(path, { force: true })
}
