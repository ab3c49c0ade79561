import type { AuditLog, UncountedTail } from '../auditLog.ts'
import type { StoredAuditEntry } from '../resources/history.ts'
import type { StoredOrganization } from '../resources/organization.ts'
import type { Database } from './connection/database.ts'

/**
 * Opens the audit log in a database. Entries that were added since are not part of it, and neither are entries beyond
 * the recorded end, which no server wrote.
 */
export async function openDatabaseAuditLog(database: Database): Promise<AuditLog> {
  const rows = await database.read<{ readonly data: StoredOrganization }>(
    'select data from burgee_organizations order by id'
  )
  const organizations = rows.map(({ data }) => data)
  return {
    organizations,
    entries: { [Symbol.asyncIterator]: () => readCounted(database, organizations) },
    findUncounted: () => findUncounted(database)
  }
}

/** Reads the entries up to the recorded end. */
async function* readCounted(
  database: Database,
  organizations: readonly StoredOrganization[]
): AsyncGenerator<StoredAuditEntry, void> {
  const heads = new Map(organizations.map(({ key, auditHead }) => [key, auditHead?.position ?? 0]))
  for await (const entry of readAuditEntries((text, values) => database.read(text, values))) {
    const head = heads.get(entry._organization)
    if (entry.position === undefined || head === undefined || entry.position <= head) yield entry
  }
}

/** Reads all entries as they are stored, in the order of writing and in batches. */
export async function* readAuditEntries(
  read: (text: string, values: readonly unknown[]) => Promise<readonly EntryRow[]>
): AsyncGenerator<StoredAuditEntry, void> {
  let [position, id] = [-1, '']
  while (true) {
    const rows = await read(SELECT_ENTRIES, [position, id, BATCH])
    for (const { entry } of rows) yield entry
    const last = rows.at(-1)
    if (!last) return
    position = last.position
    id = last.id
  }
}

interface EntryRow {
  readonly id: string
  readonly position: number
  readonly entry: StoredAuditEntry
}

const BATCH = 500

/** Entries before the chain have no position, and come first. */
const POSITION = "coalesce((data->>'position')::bigint, 0)"

const SELECT_ENTRIES = `
  select id, ${POSITION} as position, data as entry from burgee_audit_entries
  where (${POSITION}, id) > ($1, $2) order by ${POSITION}, id limit $3`

/** Counts entries beyond the recorded end of their organization, in one snapshot of the database. */
async function findUncounted(database: Database): Promise<UncountedTail | undefined> {
  const [row] = await database.read<{ readonly bytes: number | null; readonly lines: number }>(`
    select sum(length(entry.data::text))::bigint as bytes, count(*) as lines
    from burgee_audit_entries entry
    join burgee_organizations organization on organization.data->>'key' = entry.data->>'_organization'
    where (entry.data->>'position')::bigint > coalesce((organization.data->'auditHead'->>'position')::bigint, 0)`)
  return row && row.lines > 0 ? { bytes: row.bytes ?? 0, lines: row.lines } : undefined
}
