import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, removeTemporaryFiles, writeFileAtomic } from '@burgee/kit/files'
import type { EventStoreOptions } from '../engine/eventStorage.ts'
import type { FileMap } from './userTableStore.ts'

/** Opens a map of files in a folder, and creates the folder if it is missing. */
export async function openFolderFileMap(
  folder: string,
  { assertOwned }: Pick<EventStoreOptions, 'assertOwned'>
): Promise<FileMap> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeTemporaryFiles(folder)
  return {
    names: () => readdir(folder),
    read: async (name) => {
      try {
        return await readFile(join(folder, name))
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined
        throw error
      }
    },
    write: async (name, content) => {
      await assertOwned?.()
      const chunks = async function* () {
        yield content
      }
      await writeFileAtomic(join(folder, name), chunks(), assertOwned ? { beforeRename: assertOwned } : {})
    },
    remove: async (name) => {
      await assertOwned?.()
      await rm(join(folder, name), { force: true })
    }
  }
}
