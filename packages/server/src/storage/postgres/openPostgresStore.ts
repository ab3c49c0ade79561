import type { EncryptionOptions } from '../encryption/openEncryption.ts'
import { type StoreLostError, StoreOpenError, StoreUnavailableError, StoreUnreachableError } from '../store.ts'
import { storeOpenError } from '../storeOpenError.ts'
import { readPosition } from './changes/changeLog.ts'
import { Database, describeCause } from './connection/database.ts'
import { isOutage } from './connection/databaseErrors.ts'
import { startHealthCheck } from './connection/healthCheck.ts'
import { lockStart } from './connection/lockStart.ts'
import { readImport } from './importState.ts'
import { openDatabaseEncryption } from './openDatabaseEncryption.ts'
import { findRemedy } from './openRemedy.ts'
import { PostgresStore } from './postgresStore.ts'
import { hasSchema, migrateSchema, schemaMigrations } from './schema/migrateSchema.ts'

/** Options of `openPostgresStore`. */
export interface PostgresStoreOptions {
  /** The maximum number of connections. */
  readonly maxConnections: number
  /** How often the database is asked for changes of other servers, in milliseconds. */
  readonly pollMs: number
  /** Whether the database notifies this server of changes. */
  readonly listens: boolean
  /** Returns a number between 0 and 1. */
  readonly random: () => number
  /** Called once when the server must start again to see all changes. Must not throw. */
  readonly onLost: (error: StoreLostError) => void
  readonly encryption: EncryptionOptions
  /** Receives warnings for the operator. Must not throw. */
  readonly onNotice: (message: string) => void
  readonly migrations?: readonly string[]
}

/**
 * Opens the store in a database, and creates or migrates its tables.
 * @throws {StoreOpenError} when the database cannot be reached or used.
 */
export async function openPostgresStore(
  url: string,
  { maxConnections, encryption, onNotice, migrations = schemaMigrations, ...following }: PostgresStoreOptions
): Promise<PostgresStore> {
  const database = await Database.create(url, { maxConnections, onNotice })
  let endStart = async () => {}
  try {
    await assertSupported(database)
    await migrateSchema(database, migrations, onNotice)
    await assertNoImport(database)
    endStart = await lockStart(database)
    const codec = await openDatabaseEncryption(database, encryption, onNotice)
    const position = await readPosition(database)
    const health = startHealthCheck(database, onNotice)
    return new PostgresStore(database, { codec, health, position, endStart, onNotice, ...following })
  } catch (error) {
    await endStart()
    await database.close()
    throw toOpenError(database, error)
  }
}

/**
 * Opens the database of a store to read from it: nothing is created or migrated. Its connections close by themselves.
 * @throws {StoreOpenError} when there is no such store.
 */
export async function openReadOnly(url: string): Promise<Database> {
  const database = await Database.create(url, { maxConnections: 1, onNotice: () => {} })
  const hasStore = await hasSchema(database).catch((error) => {
    throw toOpenError(database, error)
  })
  if (!hasStore) throw storeOpenError(database.name, 'contains no store', 'specify the database of a server')
  return database
}

/** Returns the error that explains why a database cannot be opened. */
export function toOpenError(database: Database, error: unknown): StoreOpenError {
  if (error instanceof StoreOpenError) return error
  const cause = error instanceof StoreUnavailableError ? error.cause : error
  const remedy = findRemedy(cause)
  const failure = storeOpenError(database.name, `cannot be opened as a store: ${describeCause(cause)}`, remedy, error)
  return isOutage(cause) ? new StoreUnreachableError(failure.message, { cause: error }) : failure
}

/** Asserts that a database has the version and the features that the statements need. */
export async function assertSupported(database: Database): Promise<void> {
  const [found] = await database.read<{
    readonly version: number
    readonly encoding: string
    readonly unicode: boolean
  }>(`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
    exists(select 1 from pg_collation where collname = 'und-x-icu') as unicode`)
  if (!found) throw new Error('it returned no version')
  const { version, encoding, unicode } = found
  const { name } = database
  if (version < MIN_VERSION) {
    throw storeOpenError(
      name,
      `is PostgreSQL ${Math.floor(version / 10_000)}`,
      `use PostgreSQL ${MIN_VERSION / 10_000} or later`
    )
  }
  if (encoding !== 'UTF8') {
    throw storeOpenError(name, `has the encoding ${encoding}`, 'create the database with the encoding UTF8')
  }
  if (!unicode) throw storeOpenError(name, 'was built without ICU', 'use a build of PostgreSQL with ICU')
}

/** Asserts that a database is not the target of an import that has not ended. */
async function assertNoImport(database: Database): Promise<void> {
  const found = await readImport(database)
  if (!found) return
  throw storeOpenError(
    database.name,
    `has the first ${found.records} records of an import that was interrupted`,
    'run the same "burgee-server import" or "burgee-server migrate" again to complete it'
  )
}

const MIN_VERSION = 150_000
