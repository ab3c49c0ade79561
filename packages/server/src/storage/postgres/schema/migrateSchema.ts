import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { StoreOpenError } from '../../store.ts'
import { storeOpenError } from '../../storeOpenError.ts'
import type { Database } from '../connection/database.ts'
import { hasSqlState } from '../connection/databaseErrors.ts'
import { version1 } from './migrations/version1.ts'
import { version2 } from './migrations/version2.ts'
import { version3 } from './migrations/version3.ts'
import { version4 } from './migrations/version4.ts'
import { version5 } from './migrations/version5.ts'

/**
 * The migrations of the schema: the first one leads to version 1. Each is a text of statements. A released one never
 * changes; a new shape is a new one.
 */
export const schemaMigrations: readonly string[] = [version1, version2, version3, version4, version5]

/**
 * Brings the schema of a database to the newest version, one transaction for each migration. Several servers can start
 * at once: a lock on a row makes the others wait. Uses one connection.
 * @throws {StoreOpenError} when a newer version of Burgee migrated the database.
 */
export async function migrateSchema(
  database: Database,
  migrations: readonly string[],
  onNotice: (message: string) => void
): Promise<void> {
  await createMigrationTable(database)
  const known = await readApplied(database)
  assertKnown(database, known, migrations)
  for (const [index, text] of migrations.entries()) {
    const version = index + 1
    if (known.has(version)) continue
    const isNew = await database.transaction(async (client) => {
      await client.query(
        "set local statement_timeout = '5min'; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0"
      )
      await client.query({ text: 'select 1 from burgee_migrations where version = 0 for update', ...patient })
      const { rowCount } = await client.query('select 1 from burgee_migrations where version = $1', [version])
      if (rowCount !== 0) return false
      await client.query("set local statement_timeout = 0; set local lock_timeout = '10s'")
      await client.query({ text, ...patient })
      const insertion = 'insert into burgee_migrations (version, checksum) values ($1, $2)'
      await client.query(insertion, [version, checksumOf(text)])
      return true
    })
    if (isNew && known.size > 0) onNotice(`the schema of ${database.name} was migrated to version ${version}`)
  }
  assertKnown(database, await readApplied(database), migrations)
}

/** Options of statements that may take as long as the database lets them: the longest timeout of the driver. */
const patient = { query_timeout: 2 ** 31 - 1 }

/** Whether a server has ever opened the database as a store. */
export async function hasSchema(database: Database): Promise<boolean> {
  const [row] = await database.read<{ readonly found: boolean }>(
    "select to_regclass('burgee_organizations') is not null as found"
  )
  return row?.found === true
}

/** Creates the table of applied migrations. Its row 0 is the lock. */
async function createMigrationTable(database: Database): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await database.write(`
        create table if not exists burgee_migrations
        (version int primary key, checksum text not null, applied_at timestamptz not null default now())`)
      await database.write("insert into burgee_migrations (version, checksum) values (0, '') on conflict do nothing")
      return
    } catch (error) {
      // Another server creates it at this moment.
      if (attempt >= 10 || !hasSqlState(error, '23505', '42P07', '42710')) throw error
      await setTimeout(100)
    }
  }
}

async function readApplied(database: Database): Promise<ReadonlyMap<number, string>> {
  const rows = await database.read<{ readonly version: number; readonly checksum: string }>(
    'select version, checksum from burgee_migrations where version > 0 order by version'
  )
  return new Map(rows.map(({ version, checksum }) => [version, checksum]))
}

function assertKnown({ name }: Database, applied: ReadonlyMap<number, string>, migrations: readonly string[]): void {
  for (const [version, checksum] of applied) {
    const text = migrations[version - 1]
    if (text === undefined) {
      const problem = `has schema version ${Math.max(...applied.keys())}, and this version of Burgee supports versions up to ${migrations.length}`
      throw storeOpenError(name, problem, 'start the newer version of Burgee that migrated it, or restore a backup')
    }
    if (checksumOf(text) === checksum) continue
    throw new StoreOpenError(
      `${name} was migrated to version ${version} by a migration that differs from the one in this version of Burgee; start the version that migrated it, or restore a backup`
    )
  }
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
