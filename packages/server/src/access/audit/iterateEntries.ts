import type { AuditLog } from '../../storage/auditLog.ts'
import type { StoredAuditEntry } from '../../storage/resources.ts'
import { isUnchained } from './hashChain.ts'

/**
 * The entries of one organization, by its key, the oldest first: those from before there was a chain in order of their dates, the others as
 * they were written. One whose organization does not exist counts as well: it has been tampered with.
 */
export async function* iterateEntries(
  { organizations, entries }: AuditLog,
  organization: string
): AsyncGenerator<StoredAuditEntry, void> {
  const others = new Set(organizations.map(({ key }) => key).filter((key) => key !== organization))
  let earlier: StoredAuditEntry[] | undefined = []
  for await (const entry of entries) {
    if (others.has(entry._organization)) continue
    if (earlier && isUnchained(entry)) {
      earlier.push(entry)
      continue
    }
    if (earlier) yield* earlier.sort(byDate)
    earlier = undefined
    yield entry
  }
  if (earlier) yield* earlier.sort(byDate)
}

/** As a store sorts them by `createdAt`. */
function byDate(one: StoredAuditEntry, other: StoredAuditEntry): number {
  const [former, latter] = one.createdAt === other.createdAt ? [one._id, other._id] : [one.createdAt, other.createdAt]
  return former < latter ? -1 : 1
}
