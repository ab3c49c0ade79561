import { join, resolve } from 'node:path'
import type { EncryptionOptions } from '../encryption/openEncryption.ts'
import { DirectoryLock } from '../lowdb/lock/directoryLock.ts'
import { lockTimings } from '../lowdb/lock/lockOptions.ts'
import { LOCK_FILE } from '../lowdb/storeDirectory.ts'
import { openReadOnly } from '../postgres/openPostgresStore.ts'
import { readSchemaVersion, schemaMigrations } from '../postgres/schema/migrateSchema.ts'
import { storeOpenError } from '../storeOpenError.ts'
import { isDatabaseUrl, parseStoreDirectory } from '../storeUrl.ts'
import { openDatabaseSink } from './databaseSink.ts'
import { openDirectorySink } from './directorySink.ts'
import { readDatabaseRecords } from './readDatabaseRecords.ts'
import { readDirectoryRecords } from './readDirectoryRecords.ts'
import type { RecordSink } from './recordSink.ts'

interface TransferOptions {
  readonly encryption: EncryptionOptions
  readonly onNotice: (message: string) => void
}

/** The records of a store; `close` lets servers start on it again. */
export interface RecordSource {
  readonly records: AsyncIterable<string>
  readonly close: () => Promise<void>
}

/**
 * Opens the records of a store. A store in a directory is locked meanwhile.
 * @param requiresStopped Refuses a database that servers have open: changes during the transfer would be lost.
 * @throws {StoreLockedError} when a server has the directory open.
 */
export async function openRecordSource(
  url: string,
  { encryption, onNotice, requiresStopped }: TransferOptions & { readonly requiresStopped: boolean }
): Promise<RecordSource> {
  const directory = parseStoreDirectory(url)
  if (directory !== undefined) {
    const path = resolve(directory)
    const lock = await DirectoryLock.acquire(join(path, LOCK_FILE), {
      onNotice,
      onLost: () => {},
      timings: lockTimings
    })
    return { records: readDirectoryRecords(path, { encryption, onNotice }), close: () => lock.release() }
  }
  const database = await openReadOnly(url)
  const version = await readSchemaVersion(database)
  if (version !== schemaMigrations.length) {
    await database.close()
    throw storeOpenError(
      database.name,
      `has schema version ${version}, and this version of Burgee exports version ${schemaMigrations.length}`,
      'start a server of this version on it once, which migrates it'
    )
  }
  const [lease] = await database.read<{ readonly name: string }>(
    'select name from burgee_leases where expires_at > now() limit 1'
  )
  if (requiresStopped && lease) {
    await database.close()
    throw storeOpenError(database.name, 'is in use by a running server', 'stop all servers first')
  }
  return { records: readDatabaseRecords(database, encryption), close: () => database.close() }
}

/** Opens the target of an import. @throws {StoreOpenError} when it has a store. */
export function openRecordSink(url: string, options: TransferOptions): Promise<RecordSink> {
  return isDatabaseUrl(url)
    ? openDatabaseSink(url, options)
    : openDirectorySink(parseStoreDirectory(url) ?? '', options)
}
