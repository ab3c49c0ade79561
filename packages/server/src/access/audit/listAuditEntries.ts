import type { Input, Operations } from '@burgee/contract'
import { type AuditLogEntry, DEFAULT_PER_PAGE } from '@burgee/contract/schemas'
import { omitUndefined } from '../../lib/object.ts'
import { toIsoString } from '../../lib/time.ts'
import type { StoredAuditEntry } from '../../storage/resources.ts'
import type { Collection, ItemMatch, Page, Store } from '../../storage/store.ts'

/** Which audit entries a request asks for, besides what they are about. */
export type AuditQuery = Omit<Input<Operations['getFeatureAudit']>['query'], 'environment'>

/** What else entries should be about. */
interface EntryFilter {
  /** Entries that are about this environment too. */
  readonly _environment?: string | undefined
  /** Entries of these projects alone; `undefined` among them stands for those of no project. */
  readonly _projects?: readonly (string | undefined)[] | undefined
}

/** A page of the audit entries that match: the newest first, unless the request says otherwise. */
export async function listAuditEntries(
  store: Store,
  where: ItemMatch<StoredAuditEntry>,
  query: AuditQuery,
  { _environment, _projects }: EntryFilter = {}
): Promise<Page<AuditLogEntry>> {
  const { page = 1, perPage = DEFAULT_PER_PAGE, sortOrder = 'desc', idp_user, startDate, endDate } = query
  const { items, count } = await store.collection('auditEntries').list({
    where: idp_user === undefined ? where : { ...where, idp_user },
    ...(_environment === undefined ? {} : { including: { _environments: _environment } }),
    ...(_projects === undefined ? {} : { oneOf: { _project: _projects } }),
    between: { member: 'createdAt', ...bound('from', startDate), ...bound('to', endDate) },
    ...(where._feature === undefined ? IN_THE_LOG : IN_A_FEATURE),
    sortOrder,
    page,
    perPage
  })
  return { items: items.map(toAuditLogEntry), count }
}

/** The order of entries: that in which they were made, however fast one followed the other. */
const IN_A_FEATURE = { sortBy: 'sequence' } as const
/** Entries from before there was a chain have no place in it, and are older. */
const IN_THE_LOG = { sortBy: 'position', thenBy: 'createdAt', missing: 'lowest' } as const

/** The newest entry of a feature. */
export async function findLatestEntry(
  entries: Collection<StoredAuditEntry>,
  _feature: string
): Promise<StoredAuditEntry | undefined> {
  const { items } = await entries.list({ where: { _feature }, sortBy: 'sequence', sortOrder: 'desc', perPage: 1 })
  return items[0]
}

/** Entries are stamped in UTC; requests name any offset. */
function bound<Name extends 'from' | 'to'>(name: Name, date: string | undefined): { readonly [N in Name]?: string } {
  // An object of this one member.
  return (date === undefined ? {} : { [name]: toIsoString(date) }) as { readonly [N in Name]?: string }
}

/** An entry as answers have it. */
export function toAuditLogEntry(entry: StoredAuditEntry): AuditLogEntry {
  const { _id, createdAt, idp_user, _project, _feature, actor, clientId, source, assistant, changes } = entry
  return {
    _id,
    date: createdAt,
    idp_user,
    ...omitUndefined({ _project, _feature, actor, clientId, source, assistant }),
    changes: [...changes]
  }
}
