import { type AuditLogEntry, PER_PAGE } from '@burgee/contract'
import type { StoredAuditEntry } from '../store/resources.ts'
import type { Collection, Match, Page, Store } from '../store/store.ts'

/** Which audit entries a request asks for. */
export interface EntriesQuery {
  readonly page?: number | undefined
  readonly perPage?: number | undefined
  readonly sortOrder?: 'asc' | 'desc' | undefined
  readonly idp_user?: string | undefined
  readonly startDate?: string | undefined
  readonly endDate?: string | undefined
}

/** A page of the audit entries that match and, when an environment is given, are about it: the newest first, unless the request says otherwise. */
export async function listEntries(
  store: Store,
  where: Match<StoredAuditEntry>,
  query: EntriesQuery,
  _environment?: string
): Promise<Page<AuditLogEntry>> {
  const { page = 1, perPage = PER_PAGE, sortOrder = 'desc', idp_user, startDate, endDate } = query
  const { items, count } = await store.collection('auditEntries').list({
    where: idp_user === undefined ? where : { ...where, idp_user },
    ...(_environment === undefined ? {} : { including: { _environments: _environment } }),
    between: { member: 'createdAt', ...bound('from', startDate), ...bound('to', endDate) },
    // Entries of one feature are in the order they were made in, however fast one followed the other.
    sortBy: where._feature === undefined ? 'createdAt' : 'sequence',
    sortOrder,
    page,
    perPage
  })
  return { items: items.map(toEntry), count }
}

/** The newest entry of a feature. */
export async function latestEntry(
  entries: Collection<StoredAuditEntry>,
  _feature: string
): Promise<StoredAuditEntry | undefined> {
  const { items } = await entries.list({ where: { _feature }, sortBy: 'sequence', sortOrder: 'desc', perPage: 1 })
  return items[0]
}

/** Entries are stamped in UTC; requests name any offset. */
function bound<Name extends 'from' | 'to'>(name: Name, date: string | undefined): { readonly [N in Name]?: string } {
  // An object of this one member.
  return (date === undefined ? {} : { [name]: new Date(date).toISOString() }) as { readonly [N in Name]?: string }
}

/** An entry as answers have it. */
export function toEntry({ _id, createdAt, idp_user, _project, _feature, changes }: StoredAuditEntry): AuditLogEntry {
  return {
    _id,
    date: createdAt,
    idp_user,
    ...(_project === undefined ? {} : { _project }),
    ...(_feature === undefined ? {} : { _feature }),
    changes: [...changes]
  }
}
