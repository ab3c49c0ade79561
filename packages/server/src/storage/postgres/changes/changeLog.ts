import { encryptedMembers, type ItemCodec } from '../../encryption/itemCodec.ts'
import type { Resources } from '../../resources/collections.ts'
import type { StoreWrite } from '../../store.ts'
import { deepFreeze } from '../../tables/deepFreeze.ts'
import type { Database } from '../connection/database.ts'
import type { TransactionSession } from '../connection/transactionSession.ts'
import { collectionNames } from '../schema/tableNames.ts'

/** The channel of notifications that there are new changes. */
export const CHANNEL = 'burgee_changes'

/** A change of flags and its number. Numbers have no gaps, and follow the order of the commits. */
export interface NumberedChange {
  readonly revision: number
  readonly writes: readonly StoreWrite[]
}

/**
 * Records a change in the transaction that makes it. Returns its number: that of a row which stays locked until the
 * commit, so that no later number can be committed before. A sequence would not guarantee that.
 */
export async function recordChange(
  session: TransactionSession,
  writes: readonly StoreWrite[],
  codec: ItemCodec
): Promise<number> {
  const { rows } = await session.query(
    `with next as (update burgee_locks set revision = revision + 1 where name = 'flags' returning revision),
    stored as (insert into burgee_changes (revision, writes) select revision, $1 from next)
    select revision, pg_notify('${CHANNEL}', '') from next`,
    [JSON.stringify(writes.map((write) => convert(write, codec.encode)))]
  )
  // The migrations create the row.
  return (rows[0] as { readonly revision: number }).revision
}

/** Returns the number of the last change. */
export async function readRevision(database: Database): Promise<number> {
  const [row] = await database.read<{ readonly revision: number }>(
    "select revision from burgee_locks where name = 'flags'"
  )
  return row?.revision ?? 0
}

/** Changes after a number, and the number of the last change of all. */
interface LaterChanges {
  readonly newest: number
  /** The oldest first, up to a maximum number of changes. */
  readonly changes: readonly NumberedChange[]
}

/** Reads the changes after a number, in one statement. */
export async function readChanges(database: Database, after: number, codec: ItemCodec): Promise<LaterChanges> {
  const rows = await database.read<Partial<NumberedChange> & { readonly newest: number }>(
    `select lock.revision as newest, change.revision, change.writes from burgee_locks as lock
    left join lateral (select revision, writes from burgee_changes where revision > $1 order by revision
    limit ${MAX_CHANGES}) as change on true where lock.name = 'flags' order by change.revision`,
    [after]
  )
  return {
    // The table is empty for a moment while a database is restored.
    newest: rows[0]?.newest ?? after,
    changes: rows.flatMap(({ revision, writes }) =>
      revision && writes ? { revision, writes: deepFreeze(writes).map((write) => convert(write, codec.decode)) } : []
    )
  }
}

/** Writes the changes again whose secrets the codec would encode differently. */
export async function encodeOutdatedChanges(database: Database, codec: ItemCodec): Promise<void> {
  const secret = collectionNames.filter((name) => encryptedMembers[name].length > 0)
  const isOutdated = ({ collection, before, after }: StoreWrite) =>
    [before, after].some((item) => item !== undefined && codec.isOutdated(collection, item as never))
  let last = 0
  while (true) {
    const rows = await database.read<NumberedChange>(
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
