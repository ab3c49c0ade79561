import {
  Kysely,
  type MigrationLockOptions,
  type MigrationProvider,
  Migrator,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPoolClient,
  sql
} from 'kysely'
import type { PoolClient } from 'pg'
import { BEGIN } from '../connection/database.ts'
import { MIGRATION_TABLE } from './tableNames.ts'

/** Creates a migrator on one connection. Taking the lock begins a transaction, which the caller must end. */
export async function createMigrator(client: PoolClient, provider: MigrationProvider): Promise<Migrator> {
  const query: unknown = (text: string, values: readonly unknown[]) =>
    client.query({ text, values: [...values], ...noQueryTimeout })
  // The other overload takes a cursor, which only streaming uses.
  const connection = { query: query as PostgresPoolClient['query'], release: () => {} }
  const pool = { connect: async () => connection, end: async () => {} }
  // Without this, Kysely would find tables of other schemas.
  const { rows } = await client.query<{ readonly schema: string | null }>('select current_schema() as schema')
  const schema = rows[0]?.schema
  return new Migrator({
    db: new Kysely({ dialect: new RowLockDialect({ pool }) }),
    provider,
    ...(schema ? { migrationTableSchema: schema } : {}),
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: 'burgee_schema_lock',
    // Kysely orders applied migrations by time, but the clocks of servers differ.
    allowUnorderedMigrations: true,
    disableTransactions: true
  })
}

class RowLockDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new RowLockAdapter()
  }
}

/** Locks a row: an advisory lock belongs to a session, which a pooler can give to another client. */
class RowLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(
    db: Kysely<unknown>,
    { lockTable, lockRowId }: MigrationLockOptions
  ): Promise<void> {
    await sql.raw(BEGIN).execute(db)
    await sql.raw(WAITING).execute(db)
    await sql`select 1 from ${sql.id(lockTable)} where id = ${lockRowId} for update`.execute(db)
    await sql.raw(MIGRATING).execute(db)
  }

  /** The end of the transaction releases the lock. */
  override async releaseMigrationLock(): Promise<void> {}
}

/** Another server may be migrating. */
const WAITING =
  "set local statement_timeout = '5min'; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0"

/** A migration may take as long as it needs, but must not block running servers while it waits for a lock. */
const MIGRATING = "set local statement_timeout = 0; set local lock_timeout = '10s'"

/** Leaves timeouts to the database: this is the longest timeout of the driver. */
const noQueryTimeout = { query_timeout: 2 ** 31 - 1 }
