import { mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addCleanup } from './cleanup.ts'

/** Creates a directory that is deleted after the tests of this file. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(await findTemporaryRoot(), 'burgee-store-'))
  addCleanup(() => rm(directory, { recursive: true, force: true }))
  return directory
}

let root: Promise<string> | undefined

/** Returns `TMPDIR`; by default in memory if Linux has room, since each commit of a store syncs its file. */
export function findTemporaryRoot(): Promise<string> {
  root ??= findRoot()
  return root
}

async function findRoot(): Promise<string> {
  if (process.env.TMPDIR) return tmpdir()
  const memory = await statfs('/dev/shm').catch(() => undefined)
  return memory && memory.bavail * memory.bsize > 2 ** 30 ? '/dev/shm' : tmpdir()
}

/** Returns the content of all files in a directory and its subdirectories. */
export async function textsIn(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join('\n')
}
