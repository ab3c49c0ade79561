import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, removeTemporaryFiles, writeFileAtomic } from '@burgee/kit/files'
import type { FileMap } from './userTableStore.ts'

interface Options {
  /** Runs before each write. Throws when another process has taken over the store. */
  readonly assertOwned?: (() => Promise<void>) | undefined
}

/** Opens a map of files in a folder, which is created by the first write. */
export async function openFolderFileMap(folder: string, { assertOwned }: Options): Promise<FileMap> {
  await unlessMissing(() => removeTemporaryFiles(folder))
  return {
    names: async () => (await unlessMissing(() => readdir(folder))) ?? [],
    read: (name) => unlessMissing(() => readFile(join(folder, name))),
    write: async (name, content) => {
      await assertOwned?.()
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const chunks = async function* () {
        yield content
      }
      await writeFileAtomic(join(folder, name), chunks(), { beforeRename: assertOwned })
    },
    remove: async (name) => {
      await assertOwned?.()
      await rm(join(folder, name), { force: true })
    }
  }
}

/** Returns undefined if a file or folder is missing. */
async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
