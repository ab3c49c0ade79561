import { readImport } from '../postgres/importState.ts'
import { openReadOnly } from '../postgres/openPostgresStore.ts'
import { tableOf } from '../postgres/schema/tableNames.ts'
import { type Resources, uniqueKeys } from '../resources/collections.ts'
import type { Finding } from './finding.ts'

/**
 * Checks the items in a database: PostgreSQL itself guarantees JSON and unique keys. Reads only. The hash chain of the
 * audit log is the caller's to check.
 * @throws {StoreOpenError} when the database contains no store.
 */
export async function* checkDatabase(url: string): AsyncGenerator<Finding, void> {
  const database = await openReadOnly(url)
  const unfinished = await readImport(database)
  if (unfinished) {
    yield { file: 'import', problem: `was interrupted after ${unfinished.records} records; run the same command again` }
  }
  // The type of `uniqueKeys` requires the name of each collection.
  for (const name of Object.keys(uniqueKeys) as (keyof Resources)[]) {
    const [row] = await database.read<{ readonly items: number; readonly strange: number }>(
      `select count(*) as items, count(*) filter (where data->>'_id' is distinct from id) as strange from ${tableOf(name)}`
    )
    const { items = 0, strange = 0 } = row ?? {}
    yield strange === 0
      ? { file: name, content: `${items} items` }
      : { file: name, problem: `has ${strange} rows whose id is not that of their item` }
  }
}
