import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { AuditLog } from './auditLog.ts'
import { readDocument } from './document.ts'
import { entriesIn } from './historyEntries.ts'
import { migrate, migrations, newestVersion } from './migration.ts'
import { DOCUMENT, HISTORY } from './openDirectory.ts'
import { directoryOf } from './openStore.ts'
import { refusal } from './refusal.ts'
import type { StoredOrganization } from './resources.ts'
import { StoreOpenError } from './store.ts'

/**
 * The audit log of the store that a URL names, without opening the store: nothing is written, a server may be running,
 * and what keeps a store from being opened does not keep its log from being read.
 * @throws {StoreOpenError} when there is no such store, or the document that says how long the log is cannot be trusted.
 */
export async function openAuditLog(url: string): Promise<AuditLog> {
  const directory = directoryOf(url)
  if (!directory) {
    throw new StoreOpenError('only a store on disk has an audit log to read; name it as in "file:./burgee-data"')
  }
  const path = join(resolve(directory), DOCUMENT)
  const bytes = await readFile(path).catch((cause) => {
    throw refusal(path, 'cannot be read', 'give the directory of a store', cause)
  })
  const { schemaVersion, historyLength, data } = readDocument(path, bytes, newestVersion(migrations))
  // The checksum vouches for the shape, and the first version had no organizations.
  const { organizations } = migrate(data, schemaVersion, migrations) as {
    readonly organizations: readonly StoredOrganization[]
  }
  return { organizations, entries: entriesIn(join(resolve(directory), HISTORY), historyLength) }
}
