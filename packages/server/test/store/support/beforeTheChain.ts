import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'

/**
 * A store directory as schema version 2 left it, written by that version itself; only its signing key was taken out.
 * Its four audit entries predate the chain: a project, a feature, and a minute later the feature's name and an
 * audience.
 */
export async function directoryBeforeTheChain(): Promise<string> {
  const directory = join(await temporaryDirectory(), 'store')
  await cp(fileURLToPath(new URL('../../vectors/beforeTheChain', import.meta.url)), directory, { recursive: true })
  return directory
}
