import { createHash } from 'node:crypto'
import { type Migration, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { StoreOpenError } from '../../store.ts'
import { storeOpenError } from '../../storeOpenError.ts'
import { type Database, describeCause } from '../connection/database.ts'
import { isConnectionError } from '../connection/databaseErrors.ts'
import { createMigrator } from './createMigrator.ts'
import { MIGRATION_TABLE } from './tableNames.ts'

/**
 * Applies the first migration that is missing, in a transaction, which holds the lock. Returns its version; `undefined`
 * if none is missing.
 * @throws {StoreOpenError} when the database has a migration that is not in the list, or when the migration fails.
 */
export async function migrateNext(database: Database, migrations: readonly string[]): Promise<number | undefined> {
  const client = await database.take()
  let isIntact = false
  try {
    const migrator = await createMigrator(client, {
      getMigrations: () => findMigrations(client, database, migrations)
    })
    const { error, results: [result] = [] } = await migrator.migrateUp()
    const version = result && versionOf(result.migrationName)
    if (error !== undefined) throw version === undefined ? error : failure(database, version, error)
    await client.query('commit')
    isIntact = true
    return version
  } finally {
    // After a failure, the connection is closed, which ends the transaction.
    database.release(client, { isIntact })
  }
}

/**
 * Returns the migrations by name. Called while the lock is held.
 * @throws {StoreOpenError} when the database has a migration that is not one of them.
 */
async function findMigrations(
  client: PoolClient,
  { name }: Database,
  texts: readonly string[]
): Promise<Record<string, Migration>> {
  await copyLegacyMigrations(client)
  const migrations = texts.map((text, index): [string, Migration] => {
    return [nameOf(text, index), { up: async (db) => void (await sql.raw(text).execute(db)) }]
  })
  const known = new Map(migrations)
  const applied = await readApplied(client)
  const newest = versionOf(applied.at(-1) ?? '0')
  if (newest > known.size) {
    const problem = `has schema version ${newest}, and this version of Burgee supports versions up to ${known.size}`
    throw storeOpenError(name, problem, 'start the newer version of Burgee that migrated it, or restore a backup')
  }
  const other = applied.find((one) => !known.has(one))
  if (other !== undefined) {
    throw new StoreOpenError(
      `${name} was migrated to version ${versionOf(other)} by a migration that differs from the one in this version of Burgee; start the version that migrated it, or restore a backup`
    )
  }
  return Object.fromEntries(migrations)
}

/**
 * Adds the migrations that earlier versions of Burgee recorded in `burgee_migrations`, except for its marker of version
 * 6.
 */
async function copyLegacyMigrations(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ readonly found: boolean }>(
    "select to_regclass('burgee_migrations') is not null as found"
  )
  if (!rows[0]?.found) return
  await client.query(`
    insert into ${MIGRATION_TABLE} (name, timestamp)
    select lpad(version::text, ${DIGITS}, '0') || '-' || checksum,
      to_char(applied_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    from burgee_migrations where checksum <> '' on conflict do nothing`)
}

async function readApplied(client: PoolClient): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly name: string }>(`select name from ${MIGRATION_TABLE} order by name`)
  return rows.map(({ name }) => name)
}

function failure({ name }: Database, version: number, error: unknown): unknown {
  if (isConnectionError(error)) return error
  const problem = `could not be migrated to version ${version}: ${describeCause(error)}`
  return storeOpenError(name, problem, `the schema has version ${version - 1}; fix the cause and start again`, error)
}

/** Migrations are applied in the alphabetical order of their names. */
function nameOf(text: string, index: number): string {
  const checksum = createHash('sha256').update(text).digest('hex')
  return `${String(index + 1).padStart(DIGITS, '0')}-${checksum}`
}

function versionOf(name: string): number {
  return Number.parseInt(name, 10)
}

const DIGITS = 4
