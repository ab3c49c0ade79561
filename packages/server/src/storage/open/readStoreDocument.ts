import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DOCUMENT_FILE } from '../lowdb/openFileStore.ts'
import { parseDocument, type StoreDocument } from '../lowdb/storeDocument.ts'
import { latestVersion, migrations } from '../migrations/migrate.ts'
import { StoreOpenError } from '../store.ts'
import { storeOpenError } from '../storeOpenError.ts'
import { parseStoreDirectory } from './openStore.ts'

/**
 * Reads the document of a store without opening the store: nothing is written, a server may have the store open, and
 * other files may be damaged. Its secrets may be encrypted.
 * @throws {StoreOpenError} when there is no such store, or its document is damaged.
 */
export async function readStoreDocument(url: string): Promise<StoreDocument & { readonly directory: string }> {
  const directory = parseStoreDirectory(url)
  if (!directory) {
    throw new StoreOpenError('only a store on disk has files to read: specify one, as in "file:./burgee-data"')
  }
  const path = join(resolve(directory), DOCUMENT_FILE)
  const bytes = await readFile(path).catch((cause) => {
    throw storeOpenError(path, 'cannot be read', 'specify the directory of a store', cause)
  })
  return { directory: resolve(directory), ...parseDocument(path, bytes, latestVersion(migrations)) }
}
