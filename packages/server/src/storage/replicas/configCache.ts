import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { removeTemporaryFiles } from '@burgee/kit/files'
import { reasonOf } from '../../lib/reasonOf.ts'
import { readCheckedFile, writeCheckedFile } from '../disk/checkedFile.ts'

/** A document of the cache. */
export interface CachedDocument {
  readonly name: string
  readonly document: unknown
  /** When the document was last known to be current, in epoch milliseconds. */
  readonly checkedAt: number
}

/**
 * The last configs in a directory, for a start without their source. Each is written atomically, has a checksum, and is
 * readable by the owner of the process only.
 */
export interface ConfigCache {
  /** Reads all documents. Damaged ones are reported and omitted. */
  readonly read: () => Promise<readonly CachedDocument[]>
  /** Replaces a document. Writes of one name follow each other. @param name Letters, digits, `_` and `-`. */
  readonly write: (name: string, json: AsyncIterable<string>) => Promise<void>
  /** Records that a document is current at a given time. */
  readonly touch: (name: string, at: number) => Promise<void>
  readonly remove: (name: string) => Promise<void>
}

/** Opens the cache in a directory, which the first write creates if it is missing. */
export async function openConfigCache(directory: string, onNotice: (message: string) => void): Promise<ConfigCache> {
  if (existsSync(directory)) await removeTemporaryFiles(directory)
  const pathOf = (name: string) => join(directory, `${name}${EXTENSION}`)
  return {
    read: async () => {
      const files = (await namesIn(directory)).filter((file) => file.endsWith(EXTENSION)).sort()
      const found: CachedDocument[] = []
      for (const file of files) {
        const name = file.slice(0, -EXTENSION.length)
        try {
          const json = await readCheckedFile(pathOf(name))
          if (json === undefined) continue
          const { mtimeMs } = await stat(pathOf(name))
          found.push({ name, document: JSON.parse(json), checkedAt: mtimeMs })
        } catch (error) {
          onNotice(`a cached config is not used: ${reasonOf(error)}`)
        }
      }
      return found
    },
    write: async (name, json) => {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await writeCheckedFile(pathOf(name), json)
    },
    touch: (name, at) => utimes(pathOf(name), new Date(at), new Date(at)),
    remove: (name) => rm(pathOf(name), { force: true })
  }
}

/** Returns the names of the files in a directory; none if it is missing. */
async function namesIn(directory: string): Promise<string[]> {
  return existsSync(directory) ? readdir(directory) : []
}

const EXTENSION = '.config'
