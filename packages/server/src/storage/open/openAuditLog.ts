import { join } from 'node:path'
import type { AuditLog } from '../auditLog.ts'
import { findFileSize } from '../disk/fileStat.ts'
import { parseJournalLine } from '../lowdb/document/journalLine.ts'
import { findUncountedTail } from '../lowdb/history/findUncountedTail.ts'
import { readHistoryEntries } from '../lowdb/history/readHistoryEntries.ts'
import { HISTORY_FILE } from '../lowdb/storeDirectory.ts'
import { migrate, migrations } from '../migrations/migrate.ts'
import { openReadOnly } from '../postgres/openPostgresStore.ts'
import { openDatabaseAuditLog } from '../postgres/postgresAuditLog.ts'
import { historyCollections } from '../resources/collections.ts'
import type { StoredAuditEntry } from '../resources/history.ts'
import type { StoredOrganization } from '../resources/organization.ts'
import { isDatabaseUrl } from '../storeUrl.ts'
import { readStoreDocument } from './readStoreDocument.ts'

/**
 * Opens the audit log of a store without opening the store: nothing is written, a server may have the store open, and
 * other files may be damaged. Needs no key of an encrypted store.
 * @throws {StoreOpenError} when there is no such store, or its document, which has the length of the log, is damaged.
 */
export async function openAuditLog(url: string): Promise<AuditLog> {
  if (isDatabaseUrl(url)) return openDatabaseAuditLog(await openReadOnly(url))
  const { directory, schemaVersion, historyLength, historyLines, data } = await readStoreDocument(url)
  // The checksum proves the shape; the first version had no organizations.
  const { organizations } = migrate(data, schemaVersion, migrations) as {
    readonly organizations: readonly StoredOrganization[]
  }
  const history = join(directory, HISTORY_FILE)
  return {
    organizations,
    // Each iteration reads the file.
    entries: { [Symbol.asyncIterator]: () => readCommitted(history, historyLength, historyLines) },
    findUncounted: () => findUncountedTail(history, async () => (await readStoreDocument(url)).historyLength)
  }
}

/** Reads the entries of a history file, and those in the last lines that it does not have yet. */
async function* readCommitted(
  path: string,
  length: number,
  lines: readonly string[]
): AsyncGenerator<StoredAuditEntry, void> {
  const size = (await findFileSize(path)) ?? 0
  const missing: string[] = []
  let end = length
  for (const line of lines.toReversed()) {
    if (end <= size) break
    missing.unshift(line)
    end -= Buffer.byteLength(line)
  }
  yield* readHistoryEntries(path, end)
  for (const line of missing) yield* parseHistoryLine(line)
}

function* parseHistoryLine(line: string): Generator<StoredAuditEntry, void> {
  for (const record of parseJournalLine(line.trimEnd(), historyCollections)) if ('put' in record) yield record.item
}
