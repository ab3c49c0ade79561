import type { Database } from './connection/database.ts'

/**
 * A fact about the whole store, in a row of `burgee_meta`: how secrets are encrypted, the progress of an import, when
 * the first event was stored, and since when no event has expired.
 */
export type MetaName = 'encryption' | 'import' | 'eventsSince' | 'eventsCompleteSince'

/** A statement and its values, for `Database` and for the connection of a transaction. */
type Statement = [text: string, values: unknown[]]

/** Reads a fact; `undefined` if it is not recorded. */
export async function readMeta(database: Database, name: MetaName): Promise<unknown> {
  const [row] = await database.read<{ readonly value: unknown }>(...selectMeta(name))
  return row?.value
}

/** Returns the statement that reads a fact, as the column `value`. */
export function selectMeta(name: MetaName): Statement {
  return ['select value from burgee_meta where name = $1', [name]]
}

/** Returns the statement that records a fact, or replaces it. */
export function upsertMeta(name: MetaName, value: unknown): Statement {
  return [`${INSERT} on conflict (name) do update set value = excluded.value`, [name, JSON.stringify(value)]]
}

/** Returns the statement that records a fact, and fails if it is known. */
export function insertMeta(name: MetaName, value: unknown): Statement {
  return [INSERT, [name, JSON.stringify(value)]]
}

/** Returns the statement that records a fact unless it is known. */
export function insertMissingMeta(name: MetaName, value: unknown): Statement {
  return [`${INSERT} on conflict do nothing`, [name, JSON.stringify(value)]]
}

/** Returns the statement that records a number unless a larger one is known. */
export function raiseMeta(name: MetaName, value: number): Statement {
  return [
    `insert into burgee_meta as known (name, value) values ($1, $2) on conflict (name)
    do update set value = excluded.value where (known.value #>> '{}')::bigint < (excluded.value #>> '{}')::bigint`,
    [name, value]
  ]
}

/** Returns the statement that replaces a fact if it has the value `before`. It returns a row if it did. */
export function replaceMeta(name: MetaName, before: unknown, after: unknown): Statement {
  return [
    'update burgee_meta set value = $3 where name = $1 and value::jsonb = $2::jsonb returning name',
    [name, JSON.stringify(before), JSON.stringify(after)]
  ]
}

/** Returns the statement that removes a fact. */
export function deleteMeta(name: MetaName): Statement {
  return ['delete from burgee_meta where name = $1', [name]]
}

/** Returns the statement that removes a fact if it has the value `before`. It returns a row if it did. */
export function deleteMetaValue(name: MetaName, before: unknown): Statement {
  return [
    'delete from burgee_meta where name = $1 and value::jsonb = $2::jsonb returning name',
    [name, JSON.stringify(before)]
  ]
}

const INSERT = 'insert into burgee_meta (name, value) values ($1, $2)'
