import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { AuditLog } from '../auditLog.ts'
import { findUncountedTail } from '../lowdb/findUncountedTail.ts'
import { DOCUMENT_FILE, HISTORY_FILE } from '../lowdb/openFileStore.ts'
import { readHistoryEntries } from '../lowdb/readHistoryEntries.ts'
import { parseDocument } from '../lowdb/storeDocument.ts'
import { latestVersion, migrate, migrations } from '../migrations/migrate.ts'
import type { StoredOrganization } from '../resources/organization.ts'
import { StoreOpenError } from '../store.ts'
import { storeOpenError } from '../storeOpenError.ts'
import { parseStoreDirectory } from './openStore.ts'

/**
 * Opens the audit log of a store without opening the store: nothing is written, a server may have the store open, and
 * other files may be damaged.
 * @throws {StoreOpenError} when there is no such store, or its document, which has the length of the log, is damaged.
 */
export async function openAuditLog(url: string): Promise<AuditLog> {
  const directory = parseStoreDirectory(url)
  if (!directory) {
    throw new StoreOpenError('only a store on disk has an audit log to read: specify one, as in "file:./burgee-data"')
  }
  const path = join(resolve(directory), DOCUMENT_FILE)
  const readDocument = async () => {
    const bytes = await readFile(path).catch((cause) => {
      throw storeOpenError(path, 'cannot be read', 'specify the directory of a store', cause)
    })
    return parseDocument(path, bytes, latestVersion(migrations))
  }
  const { schemaVersion, historyLength, data } = await readDocument()
  // The checksum proves the shape; the first version had no organizations.
  const { organizations } = migrate(data, schemaVersion, migrations) as {
    readonly organizations: readonly StoredOrganization[]
  }
  const history = join(resolve(directory), HISTORY_FILE)
  return {
    organizations,
    // Each iteration reads the file.
    entries: { [Symbol.asyncIterator]: () => readHistoryEntries(history, historyLength) },
    findUncounted: () => findUncountedTail(history, async () => (await readDocument()).historyLength)
  }
}
