import type { AuditLog } from '../../storage/auditLog.ts'
import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import { isUnchained } from './hashChain.ts'

/**
 * Iterates over the entries of an organization, oldest first: unchained entries by date, chained entries by position.
 * Entries whose organization does not exist are included, because they are evidence of tampering.
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

/** The order of a store that sorts by `createdAt`. */
function byDate(one: StoredAuditEntry, other: StoredAuditEntry): number {
  const [former, latter] = one.createdAt === other.createdAt ? [one._id, other._id] : [one.createdAt, other.createdAt]
  return former < latter ? -1 : 1
}
