import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const made: string[] = []

/** A new directory that is gone after the tests of this file. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'burgee-store-'))
  made.push(directory)
  return directory
}

afterAll(async () => {
  for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true })
})
