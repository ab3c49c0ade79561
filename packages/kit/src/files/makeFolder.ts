import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './fileId.ts'

/**
 * Creates a folder and those around it. `mkdir` of Node.js tries forever to create folders in some file systems, such
 * as /proc.
 */
export async function makeFolder(path: string, options: { readonly mode?: number } = {}): Promise<void> {
  const isMissing = await stat(path).then(
    (found) => !found.isDirectory(),
    (error) => {
      if (!hasCode(error, 'ENOENT')) throw error
      return true
    }
  )
  if (!isMissing) return
  if (dirname(path) !== path) await makeFolder(dirname(path), options)
  await mkdir(path, options).catch(async (error) => {
    // Another process can create it meanwhile.
    if (!hasCode(error, 'EEXIST') || !(await stat(path)).isDirectory()) throw error
  })
}
