import type { EventEntry } from '../../events/eventEntry.ts'
import { parseEntryLine } from '../../events/files/entryLine.ts'
import type { Database } from '../connection/database.ts'

/** A stored entry. */
export interface EntryRow {
  readonly id: number
  /** JSON. */
  readonly entry: string
}

interface Selection {
  readonly day: string
  readonly environments: readonly string[]
  /** In epoch milliseconds. */
  readonly since: number
  /** Parts of the JSON of an entry, of which it has at least one. */
  readonly texts: readonly string[]
}

/** Reads entries of a day in the order of arrival, in batches. */
export async function* readEntries(
  database: Database,
  { day, environments, since, texts }: Selection
): AsyncGenerator<readonly EntryRow[], void> {
  let last = 0
  while (true) {
    const rows = await database.read<EntryRow>(
      `select id, entry from burgee_event_entries
      where day = $1 and id > $2 and environment = any($3) and at >= $4
      and exists(select 1 from unnest($5::text[]) as text where strpos(entry, text) > 0)
      order by id limit ${BATCH}`,
      [day, last, environments, since, texts]
    )
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
    last = rows.at(-1)?.id ?? last
  }
}

/** Parses a stored entry; returns `undefined` if it is damaged. */
export function toEntry({ entry }: EntryRow, day: string): EventEntry | undefined {
  return parseEntryLine(Buffer.from(entry), day)
}

const BATCH = 500
