import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import { addCleanup } from '../cleanup.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the PostgreSQL server of the run. */
    readonly databaseUrl: string
    /** The address of a database on it that was opened as a store and is empty. */
    readonly databaseTemplate: string
  }
}

/**
 * Creates a database, which is deleted after the tests of this file: empty, or a copy of the database at an address,
 * which must have no connections. Returns its address.
 */
export async function temporaryDatabase(template = inject('databaseTemplate')): Promise<string> {
  const name = `burgee_test_${randomBytes(6).toString('hex')}`
  await runOnServer(`create database ${name} template ${nameOf(template)}`)
  addCleanup(() => runOnServer(`drop database if exists ${name} with (force)`))
  return withName(inject('databaseUrl'), name)
}

/** Removes all data of the store in a database, which is faster than a new database for each test. */
export async function emptyDatabase(url: string): Promise<string> {
  await runOnServer(EMPTY, url)
  return url
}

const EMPTY = `do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = 'public' and tablename !~ '^burgee_(schema_migrations|migrations|locks)$'
  loop execute format('delete from %I', name); end loop;
end $$`

/** Returns the address of another database of the same server. */
export function withName(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

/** Runs a statement in a database; by default in the one for maintenance. */
export async function runOnServer(
  statement: string,
  url: string = inject('databaseUrl'),
  values: readonly unknown[] = []
): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement, [...values])).rows
  } finally {
    await client.end()
  }
}
