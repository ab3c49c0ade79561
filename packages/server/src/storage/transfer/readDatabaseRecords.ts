import type { PoolClient, QueryResultRow } from 'pg'
import { DAY } from '../../lib/time.ts'
import type { StoredAccessEntry } from '../accessLog/accessLog.ts'
import { type EncryptionOptions, openEncryption } from '../encryption/openEncryption.ts'
import { utcDayStart } from '../events/utcDay.ts'
import type { Database } from '../postgres/connection/database.ts'
import { selectMeta } from '../postgres/meta.ts'
import { readDatabaseEncryption } from '../postgres/openDatabaseEncryption.ts'
import { readAuditEntries } from '../postgres/postgresAuditLog.ts'
import { collectionNames, tableOf } from '../postgres/schema/tableNames.ts'
import type { Resources } from '../resources/collections.ts'
import { toCanonicalText } from './readDirectoryRecords.ts'
import { type CountRow, chunk, formatRecord, sortRows, type UsersRow } from './transferRecord.ts'

/**
 * Reads the records of a store in a database as of one moment, with secrets in plain text.
 * @throws {StoreOpenError} when it is encrypted with other keys.
 */
export async function* readDatabaseRecords(
  database: Database,
  encryption: EncryptionOptions
): AsyncGenerator<string, void> {
  const { codec } = openEncryption(database.name, await readDatabaseEncryption(database), encryption)
  const client = await database.begin()
  try {
    await client.query('set transaction isolation level repeatable read read only')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    for (const name of collectionNames) {
      const read =
        name === 'auditEntries'
          ? readAuditEntries((text, values) => query(client, text, values))
          : readItems(client, name)
      for await (const item of read) yield formatRecord({ put: name, item: codec.decode(name, item) })
    }
    yield* readEvents(client)
    yield* readAccess(client)
  } finally {
    // Ends the transaction with the connection.
    database.release(client, { isIntact: false })
  }
}

async function* readItems<K extends keyof Resources>(client: PoolClient, name: K): AsyncGenerator<Resources[K], void> {
  const text = `select id, data from ${tableOf(name)} where id > $1 order by id limit ${BATCH}`
  for (let last = ''; ; ) {
    const rows = await query<{ readonly id: string; readonly data: Resources[K] }>(client, text, [last])
    for (const { data } of rows) yield data
    const { id } = rows.at(-1) ?? {}
    if (id === undefined) return
    last = id
  }
}

async function* readEvents(client: PoolClient): AsyncGenerator<string, void> {
  const [since] = await query<{ value: number }>(client, ...selectMeta('eventsSince'))
  if (!since) return
  const [complete] = await query<{ value: number }>(client, ...selectMeta('eventsCompleteSince'))
  yield formatRecord({ events: { since: since.value, completeSince: complete?.value ?? 0 } })
  const days = await query<{ day: string }>(
    client,
    `select day::text as day from burgee_event_days
    union select to_char(to_timestamp(hour / 1000) at time zone 'UTC', 'YYYY-MM-DD') from burgee_event_counts
    union select to_char(to_timestamp(hour / 1000) at time zone 'UTC', 'YYYY-MM-DD') from burgee_event_users
    order by 1`
  )
  for (const { day } of days) yield* readDay(client, day)
  const files = await query<{ name: string }>(client, 'select name from burgee_event_files order by name collate "C"')
  for (const { name } of files) {
    const [row] = await query<{ content: Buffer }>(client, 'select content from burgee_event_files where name = $1', [
      name
    ])
    if (row) yield formatRecord({ eventFile: name, content: row.content.toString('base64') })
  }
}

async function* readDay(client: PoolClient, day: string): AsyncGenerator<string, void> {
  const text = `select id, entry from burgee_event_entries where day = $1 and id > $2 order by id limit ${BATCH}`
  for (let last = 0; ; ) {
    const rows = await query<{ id: number; entry: string }>(client, text, [day, last])
    for (const { entry } of rows) yield `{"entry":${entry.trimEnd()}}`
    const { id } = rows.at(-1) ?? {}
    if (id === undefined) break
    last = id
  }
  const hours = [utcDayStart(day), utcDayStart(day) + DAY]
  const counts = await query<CountColumns>(
    client,
    'select * from burgee_event_counts where hour >= $1 and hour < $2',
    hours
  )
  const countRows = counts.map(
    (row): CountRow => [
      row.environment,
      row.hour,
      row.feature,
      row.variable,
      row.variation,
      row.platform,
      row.sdk_type,
      row.count
    ]
  )
  for (const rows of chunk(sortRows(countRows))) yield formatRecord({ counts: rows })
  const users = await query<UserColumns>(
    client,
    'select environment, hour, sdk_type, users from burgee_event_users where hour >= $1 and hour < $2',
    hours
  )
  const userRows = users.map((row): UsersRow => [row.environment, row.hour, row.sdk_type, toCanonicalText(row.users)])
  for (const rows of chunk(sortRows(userRows))) yield formatRecord({ users: rows })
}

interface CountColumns extends QueryResultRow {
  readonly environment: string
  readonly hour: number
  readonly feature: string
  readonly variable: string
  readonly variation: string
  readonly platform: string
  readonly sdk_type: CountRow[6]
  readonly count: number
}

interface UserColumns extends QueryResultRow {
  readonly environment: string
  readonly hour: number
  readonly sdk_type: CountRow[6]
  readonly users: string
}

async function* readAccess(client: PoolClient): AsyncGenerator<string, void> {
  const text = `select id, date, entry from burgee_access_entries where (date, id) > ($1, $2) order by date, id limit ${BATCH}`
  for (let last: readonly [string, number] = ['', 0]; ; ) {
    const rows = await query<{ id: number; date: string; entry: StoredAccessEntry }>(client, text, last)
    for (const { entry } of rows) yield formatRecord({ access: entry })
    const final = rows.at(-1)
    if (!final) return
    last = [final.date, final.id]
  }
}

const BATCH = 500

async function query<Row extends QueryResultRow>(
  client: PoolClient,
  text: string,
  values: readonly unknown[] = []
): Promise<readonly Row[]> {
  return (await client.query<Row>(text, [...values])).rows
}
