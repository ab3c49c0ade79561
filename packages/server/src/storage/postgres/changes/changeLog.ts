import { encryptedMembers, type ItemCodec } from '../../encryption/itemCodec.ts'
import type { Resources } from '../../resources/collections.ts'
import type { StoreWrite } from '../../store.ts'
import { deepFreeze } from '../../tables/deepFreeze.ts'
import type { Database } from '../connection/database.ts'
import type { TransactionSession } from '../connection/transactionSession.ts'
import { collectionNames } from '../schema/tableNames.ts'

/** The channel of notifications that there are new changes. */
export const CHANNEL = 'burgee_changes'

/**
 * A place in the history of changes: the number of the last change, and when it was made, which tells it from a change
 * with the same number after a restore. The time is missing if no change is kept.
 */
export interface Position {
  readonly revision: number
  /** In microseconds. */
  readonly at?: number | undefined
}

/** A change of flags and its position. Numbers have no gaps, and follow the order of the commits. */
export interface NumberedChange extends Position {
  readonly writes: readonly StoreWrite[]
}

/** A change that is recorded, and the position that the database has at the number of the last known change. */
interface RecordedChange {
  readonly change: Position
  readonly known: Position
}

/**
 * Records a change in the transaction that makes it. Returns its number: that of a row which stays locked until the
 * commit, so that no later number can be committed before. A sequence would not guarantee that.
 */
export async function recordChange(
  session: TransactionSession,
  writes: readonly StoreWrite[],
  lastKnown: number,
  codec: ItemCodec
): Promise<RecordedChange> {
  const { rows } = await session.query(
    `with next as (update burgee_locks set revision = revision + 1 where name = 'flags' returning revision),
    stored as (insert into burgee_changes (revision, writes) select revision, $1 from next returning revision, at)
    select revision, ${micros('at')} as at,
    (select ${micros('at')} from burgee_changes where revision = $2) as known_at, pg_notify('${CHANNEL}', '') from stored`,
    [JSON.stringify(writes.map((write) => convert(write, codec.encode))), lastKnown]
  )
  // The migrations create the row of the number.
  const { revision, at, known_at } = rows[0] as Required<Position> & { readonly known_at: number | null }
  return { change: { revision, at }, known: { revision: lastKnown, at: known_at ?? undefined } }
}

/** Returns the position of the last change. */
export async function readPosition(database: Database): Promise<Position> {
  const [row] = await database.read<Required<Position>>(
    `select lock.revision, ${micros('change.at')} as at from burgee_locks as lock
    left join burgee_changes as change on change.revision = lock.revision where lock.name = 'flags'`
  )
  return row ? { revision: row.revision, at: row.at ?? undefined } : { revision: 0 }
}

/** The changes after a known one. */
interface LaterChanges {
  /** The number of the last change of all; `undefined` while the table is filled by a restore. */
  readonly newest: number | undefined
  /** Whether the database is a standby, which can lag behind. */
  readonly isStandby: boolean
  /** The position that the database has at the number of the known change. */
  readonly known: Position
  /** The oldest first, up to a maximum number of changes. */
  readonly changes: readonly NumberedChange[]
}

/** Reads the changes after a number, in one statement. */
export async function readChanges(database: Database, after: number, codec: ItemCodec): Promise<LaterChanges> {
  const rows = await database.read<Nullable<NumberedChange> & { readonly newest: number; readonly standby: boolean }>(
    `select lock.revision as newest, pg_is_in_recovery() as standby, change.* from burgee_locks as lock
    left join lateral (select revision, ${micros('at')} as at, case when revision > $1 then writes end as writes
    from burgee_changes where revision >= $1 order by revision limit ${MAX_CHANGES + 1}) as change on true
    where lock.name = 'flags' order by change.revision`,
    [after]
  )
  const known = rows.find(({ revision }) => revision === after)
  return {
    newest: rows[0]?.newest,
    isStandby: rows[0]?.standby === true,
    known: { revision: after, at: known?.at ?? undefined },
    changes: rows.flatMap(({ revision, at, writes }) => {
      if (revision === null || at === null || writes === null) return []
      return [{ revision, at, writes: deepFreeze(writes).map((write) => convert(write, codec.decode)) }]
    })
  }
}

type Nullable<T> = { readonly [K in keyof T]-?: T[K] | null }

/** Returns the expression for a time as an exact number. */
function micros(column: string): string {
  return `(extract(epoch from ${column}) * 1000000)::bigint`
}

/** Writes the changes again whose secrets the codec would encode differently. */
export async function encodeOutdatedChanges(database: Database, codec: ItemCodec): Promise<void> {
  const secret = collectionNames.filter((name) => encryptedMembers[name].length > 0)
  const isOutdated = ({ collection, before, after }: StoreWrite) =>
    [before, after].some((item) => item !== undefined && codec.isOutdated(collection, item as never))
  let last = 0
  while (true) {
    const rows = await database.read<Omit<NumberedChange, 'at'>>(
      `select revision, writes from burgee_changes where revision > $1 and exists
      (select 1 from json_array_elements(writes) as write where write->>'collection' = any($2::text[]))
      order by revision limit ${MAX_CHANGES}`,
      [last, secret]
    )
    for (const { revision, writes } of rows) {
      last = revision
      if (!writes.some(isOutdated)) continue
      const encoded = writes.map((write) => convert(convert(write, codec.decode), codec.encode))
      await database.write('update burgee_changes set writes = $2 where revision = $1', [
        revision,
        JSON.stringify(encoded)
      ])
    }
    if (rows.length < MAX_CHANGES) return
  }
}

/** Deletes changes that every server has seen, or should have. */
export async function deleteOldChanges(database: Database): Promise<void> {
  await database.write(`delete from burgee_changes where at < now() - interval '${RETENTION_HOURS} hours'`)
}

/** How long changes are kept. A server that was disconnected for longer cannot follow them. */
export const RETENTION_HOURS = 24

const MAX_CHANGES = 100

/** Encodes or decodes the items of a write. */
function convert(
  write: StoreWrite,
  code: <K extends keyof Resources>(collection: K, item: Resources[K]) => Resources[K]
): StoreWrite {
  const { collection, before, after } = write
  // `before` and `after` are items of the collection.
  return {
    collection,
    ...(before ? { before: code(collection, before as never) } : {}),
    ...(after ? { after: code(collection, after as never) } : {})
  } as StoreWrite
}
