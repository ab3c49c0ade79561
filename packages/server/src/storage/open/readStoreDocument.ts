import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { replayCommits } from '../lowdb/document/replayCommits.ts'
import { parseDocument, type StoreDocument } from '../lowdb/document/storeDocument.ts'
import { DOCUMENT_FILE } from '../lowdb/storeDirectory.ts'
import { latestVersion, migrations } from '../migrations/migrate.ts'
import { StoreOpenError } from '../store.ts'
import { storeOpenError } from '../storeOpenError.ts'
import { parseStoreDirectory } from '../storeUrl.ts'

/** The content of the files of a store. */
interface StoreFiles extends StoreDocument {
  readonly directory: string
  /** The committed lines of the history that may not be in its file yet. */
  readonly historyLines: readonly string[]
}

/**
 * Reads the document of a store and the commits after it without opening the store: nothing is written, a server may
 * have the store open, and other files may be damaged. Its secrets may be encrypted.
 * @throws {StoreOpenError} when there is no such store, or these files are damaged.
 */
export async function readStoreDocument(url: string): Promise<StoreFiles> {
  const directory = parseStoreDirectory(url)
  if (!directory) {
    throw new StoreOpenError('only a store on disk has files to read: specify one, such as "file:./burgee-data"')
  }
  const path = join(resolve(directory), DOCUMENT_FILE)
  for (;;) {
    const bytes = await readFile(path).catch((cause) => {
      throw storeOpenError(path, 'cannot be read', 'specify the directory of a store', cause)
    })
    const snapshot = parseDocument(path, bytes, latestVersion(migrations))
    try {
      const { document, historyLines } = await replayCommits(path, snapshot)
      return { directory: resolve(directory), ...document, historyLines }
    } catch (error) {
      // A server may have replaced the document, and removed commits that it now contains.
      if (bytes.equals(await readFile(path))) throw error
    }
  }
}
