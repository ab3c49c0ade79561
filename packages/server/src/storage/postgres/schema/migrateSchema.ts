import type { Database } from '../connection/database.ts'
import { version1 } from './migrations/version1.ts'
import { version2 } from './migrations/version2.ts'
import { version3 } from './migrations/version3.ts'
import { version4 } from './migrations/version4.ts'
import { version5 } from './migrations/version5.ts'
import { version6 } from './migrations/version6.ts'
import { MIGRATION_TABLE } from './tableNames.ts'

/**
 * The migrations of the schema: the first one leads to version 1. Each is a text of statements. A released one never
 * changes; a new shape is a new one.
 */
export const schemaMigrations: readonly string[] = [version1, version2, version3, version4, version5, version6]

/**
 * Brings the schema of a database to the newest version, one transaction for each migration. Several servers can start
 * at once. Uses one connection.
 * @throws {StoreOpenError} when a newer version of Burgee migrated the database, or when a migration fails.
 */
export async function migrateSchema(
  database: Database,
  migrations: readonly string[],
  onNotice: (message: string) => void
): Promise<void> {
  // Imported here, so that servers without PostgreSQL do not load Kysely.
  const { migrateNext } = await import('./migrateNext.ts')
  const isNew = !(await hasSchema(database))
  while (true) {
    const version = await migrateNext(database, migrations)
    if (version === undefined) return
    if (!isNew) onNotice(`the schema of ${database.name} was migrated to version ${version}`)
  }
}

/** Whether a server has ever opened the database as a store. */
export async function hasSchema(database: Database): Promise<boolean> {
  return hasTable(database, 'burgee_organizations')
}

/** Returns the version of the schema of a store. */
export async function readSchemaVersion(database: Database): Promise<number> {
  const [row] = (await hasTable(database, MIGRATION_TABLE))
    ? await database.read<{ readonly version: number }>(`select count(*)::int as version from ${MIGRATION_TABLE}`)
    : await database.read<{ readonly version: number }>('select max(version) as version from burgee_migrations')
  return row?.version ?? 0
}

async function hasTable(database: Database, name: string): Promise<boolean> {
  const [row] = await database.read<{ readonly found: boolean }>('select to_regclass($1) is not null as found', [name])
  return row?.found === true
}
