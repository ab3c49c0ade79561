import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { ItemCodec } from '../encryption/itemCodec.ts'
import type { EncryptionOptions } from '../encryption/openEncryption.ts'
import { toUtcDay } from '../events/utcDay.ts'
import { Database } from '../postgres/connection/database.ts'
import { Partitions } from '../postgres/events/partitions.ts'
import { type ImportState, readImport } from '../postgres/importState.ts'
import { deleteMetaValue, insertMeta, replaceMeta, upsertMeta } from '../postgres/meta.ts'
import { openDatabaseEncryption } from '../postgres/openDatabaseEncryption.ts'
import { assertSupported, toOpenError } from '../postgres/openPostgresStore.ts'
import { migrateSchema, schemaMigrations } from '../postgres/schema/migrateSchema.ts'
import { tableOf } from '../postgres/schema/tableNames.ts'
import type { Resources } from '../resources/collections.ts'
import { storeOpenError } from '../storeOpenError.ts'
import type { Item } from '../tables/table.ts'
import type { RecordSink } from './recordSink.ts'
import type { ParsedRecord, TransferRecord } from './transferRecord.ts'

interface SinkOptions {
  readonly encryption: EncryptionOptions
  readonly onNotice: (message: string) => void
}

/**
 * Imports into an empty database, or continues an import that was interrupted. Each batch is a transaction, which also
 * stores how far the import has come, so that records are stored once. No server starts before the import has ended.
 * @throws {StoreOpenError} when the database has a store.
 */
export async function openDatabaseSink(url: string, { encryption, onNotice }: SinkOptions): Promise<RecordSink> {
  const database = await Database.create(url, { maxConnections: 4, onNotice })
  try {
    await assertSupported(database)
    await migrateSchema(database, schemaMigrations, onNotice)
    const state = await beginImport(database)
    if (state.records > 0) onNotice(`continuing an import after ${state.records} records`)
    const codec = await openDatabaseEncryption(database, encryption, onNotice)
    return new DatabaseSink(database, codec, state)
  } catch (error) {
    await database.close()
    throw toOpenError(database, error)
  }
}

/** Records the start of an import. Returns the state of an earlier one that was interrupted. */
async function beginImport(database: Database): Promise<ImportState> {
  const known = await readImport(database)
  if (known) return known
  const [row] = await database.read<{ readonly found: boolean }>(`
    select exists(select 1 from burgee_organizations) or exists(select 1 from burgee_event_days) as found`)
  if (row?.found) throw storeOpenError(database.name, 'contains a store', 'an import needs an empty database')
  const empty: ImportState = { records: 0, sha256: createHash('sha256').digest('hex') }
  await database.write(...insertMeta('import', empty))
  return empty
}

class DatabaseSink implements RecordSink {
  readonly #database: Database
  readonly #codec: ItemCodec
  readonly #partitions: Partitions
  /** What an earlier import stored. */
  readonly #stored: ImportState
  /** What this import and earlier ones have stored. */
  #state: ImportState
  readonly #hash = createHash('sha256')
  #records = 0
  #batch: TransferRecord[] = []
  #batchLength = 0

  constructor(database: Database, codec: ItemCodec, stored: ImportState) {
    this.#database = database
    this.#codec = codec
    this.#stored = stored
    this.#state = stored
    this.#partitions = new Partitions(database)
  }

  async write({ record, line }: ParsedRecord): Promise<void> {
    this.#hash.update(`${line}\n`)
    this.#records++
    if (this.#records <= this.#stored.records) {
      if (this.#records === this.#stored.records) this.#assertSame()
      return
    }
    this.#batch.push(record)
    this.#batchLength += line.length
    if (this.#batch.length >= BATCH_RECORDS || this.#batchLength >= BATCH_LENGTH) await this.#flush()
  }

  async finish(): Promise<void> {
    if (this.#records < this.#stored.records) this.#assertSame()
    await this.#flush()
    this.#assertAlone(await this.#database.write(...deleteMetaValue('import', this.#state)))
  }

  async close(): Promise<void> {
    await this.#database.close()
  }

  #assertSame(): void {
    if (this.#hash.copy().digest('hex') === this.#stored.sha256) return
    throw storeOpenError(
      this.#database.name,
      'has records of another import, or the source has changed since it was interrupted',
      'empty the database, and import again'
    )
  }

  async #flush(): Promise<void> {
    const batch = this.#batch
    if (batch.length === 0) return
    this.#batch = []
    this.#batchLength = 0
    for (const day of new Set(batch.flatMap((record) => ('entry' in record ? toUtcDay(record.entry.at) : [])))) {
      await this.#partitions.ensure(day)
    }
    const state: ImportState = { records: this.#records, sha256: this.#hash.copy().digest('hex') }
    await this.#database.transaction(async (client) => {
      // Runs first: a concurrent import waits for the row, and then stores nothing.
      const { rows } = await client.query(...replaceMeta('import', this.#state, state))
      this.#assertAlone(rows)
      await insertItems(client, batch, this.#codec)
      await insertEvents(client, batch)
    })
    this.#state = state
  }

  /** Asserts that no other import has changed the state. @param replaced The rows that the statement returned. */
  #assertAlone(replaced: readonly unknown[]): void {
    if (replaced.length > 0) return
    throw storeOpenError(
      this.#database.name,
      'has been written by another import meanwhile',
      'stop all imports, empty the database, and import again'
    )
  }
}

/** A batch is stored in less than a second. */
const BATCH_RECORDS = 1_000
const BATCH_LENGTH = 4 * 2 ** 20

async function insertItems(client: PoolClient, batch: readonly TransferRecord[], codec: ItemCodec): Promise<void> {
  const collections = new Map<keyof Resources, Item[]>()
  for (const record of batch) {
    if (!('put' in record)) continue
    const items = collections.get(record.put) ?? []
    collections.set(record.put, items)
    // The export has items of the collection.
    items.push(codec.encode(record.put, record.item as never))
  }
  for (const [name, items] of collections) {
    await client.query(`insert into ${tableOf(name)} (id, data) select * from unnest($1::text[], $2::json[])`, [
      items.map(({ _id }) => _id),
      items.map((item) => JSON.stringify(item))
    ])
  }
}

async function insertEvents(client: PoolClient, batch: readonly TransferRecord[]): Promise<void> {
  const entries = batch.flatMap((record) => ('entry' in record ? record.entry : []))
  if (entries.length > 0) {
    const days = entries.map(({ at }) => toUtcDay(at))
    await client.query(
      `insert into burgee_event_entries (day, environment, at, entry)
      select * from unnest($1::date[], $2::text[], $3::bigint[], $4::text[])`,
      [
        days,
        entries.map(({ environment }) => environment),
        entries.map(({ at }) => at),
        entries.map((one) => JSON.stringify(one))
      ]
    )
    await client.query(
      `insert into burgee_event_days as known (day, size) select day, count(*) from unnest($1::date[]) as day group by day
      on conflict (day) do update set size = known.size + excluded.size`,
      [days]
    )
  }
  const counts = batch.flatMap((record) => ('counts' in record ? record.counts : []))
  await insertRows(client, 'burgee_event_counts', COUNT_TYPES, counts)
  const users = batch.flatMap((record) => ('users' in record ? record.users : []))
  await insertRows(client, 'burgee_event_users', USER_TYPES, users)
  for (const record of batch) {
    if ('events' in record) {
      const { since, completeSince } = record.events
      await client.query(...upsertMeta('eventsSince', since))
      if (completeSince > 0) await client.query(...upsertMeta('eventsCompleteSince', completeSince))
    } else if ('eventFile' in record) {
      const content = Buffer.from(record.content, 'base64')
      await client.query('insert into burgee_event_files (name, content) values ($1, $2)', [record.eventFile, content])
    }
  }
  const access = batch.flatMap((record) => ('access' in record ? record.access : []))
  if (access.length === 0) return
  await client.query('insert into burgee_access_entries (date, entry) select * from unnest($1::text[], $2::json[])', [
    access.map(({ date }) => date),
    access.map((entry) => JSON.stringify(entry))
  ])
}

/** The types of the columns of the tables, in their order. */
const COUNT_TYPES = ['text', 'bigint', 'text', 'text', 'text', 'text', 'text', 'bigint']
const USER_TYPES = ['text', 'bigint', 'text', 'text']

async function insertRows(
  client: PoolClient,
  table: string,
  types: readonly string[],
  rows: readonly (readonly unknown[])[]
): Promise<void> {
  if (rows.length === 0) return
  const columns = types.map((_, at) => rows.map((row) => row[at]))
  await client.query(
    `insert into ${table} select * from unnest(${types.map((type, at) => `$${at + 1}::${type}[]`).join(', ')})`,
    columns
  )
}
