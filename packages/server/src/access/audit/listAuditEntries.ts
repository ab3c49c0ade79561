import type { Input, Operations } from '@burgee/contract'
import { type AuditLogChange, type AuditLogEntry, DEFAULT_PER_PAGE } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createTimeSlices, toIsoString } from '../../lib/time.ts'
import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import type { Collection, ItemMatch, Page, Store } from '../../storage/store.ts'
import { restrictedMembers } from '../permissions/personalData.ts'
import { createEntryFilter } from './createEntryFilter.ts'

/** The query parameters of a request for audit entries. */
export type AuditQuery = Omit<Input<Operations['listAuditEntries']>['query'], 'project' | 'feature' | 'environment'>

/** Further conditions on entries. */
interface EntryFilter {
  /** Only entries that affect this environment. */
  readonly _environment?: string | undefined
  /** Whether the entries contain network addresses, and the members of resources that only administrators see. */
  readonly hasPersonalData?: boolean
  /** Only entries of these projects; `undefined` stands for entries without a project. */
  readonly _projects?: readonly (string | undefined)[] | undefined
}

/** Returns a page of the matching entries, newest first by default. */
export async function listAuditEntries(
  store: Store,
  where: ItemMatch<StoredAuditEntry>,
  query: AuditQuery,
  { _environment, _projects, hasPersonalData = false }: EntryFilter = {}
): Promise<Page<AuditLogEntry>> {
  const { page = 1, perPage = DEFAULT_PER_PAGE, sortOrder = 'desc', idp_user, startDate, endDate } = query
  const { type, actor, search } = query
  const entries = store.collection('auditEntries')
  const conditions = {
    where: { ...where, ...omitUndefined({ idp_user, actor }) },
    ...(_environment === undefined ? {} : { including: { _environments: _environment } }),
    ...(_projects === undefined ? {} : { oneOf: { _project: _projects } }),
    between: { member: 'createdAt' as const, ...bound('from', startDate), ...bound('to', endDate) },
    ...(where._feature === undefined ? IN_THE_LOG : IN_A_FEATURE),
    sortOrder
  }
  const toEntry = (entry: StoredAuditEntry) => toAuditLogEntry(entry, hasPersonalData)
  if (type === undefined && search === undefined) {
    const found = await entries.list({ ...conditions, page, perPage })
    return { items: found.items.map(toEntry), count: found.count }
  }
  const features = search === undefined ? [] : await findFeatureIds(store, search)
  const hint = toHint({ type, search, features })
  const matches = createEntryFilter({ type, search, features: new Set(features) })
  const slices = createTimeSlices()
  const items: AuditLogEntry[] = []
  let count = 0
  for await (const stored of entries.scan({ ...conditions, ...omitUndefined({ hint }) })) {
    await slices.yieldIfDue()
    const entry = toEntry(stored)
    if (!matches(entry)) continue
    if (Math.floor(count / perPage) === page - 1) items.push(entry)
    count++
  }
  return { items, count }
}

/** Returns texts of which each matching entry has one, so that the store can skip others; `undefined` without any. */
function toHint({ type, search, features }: ContentFilter): readonly string[] | undefined {
  if (type !== undefined) return [`"type":${JSON.stringify(type)}`]
  const isPlain = search !== undefined && /^[ -~]+$/.test(search) && !/["\\]/.test(search)
  return isPlain && features.length <= MAX_HINTS ? [search, ...features] : undefined
}

interface ContentFilter extends Pick<AuditQuery, 'type' | 'search'> {
  /** The ids of the features whose entries match a search. */
  readonly features: readonly string[]
}

/** Looking for more texts takes longer than parsing the entries. */
const MAX_HINTS = 20

/** Lists the ids of the features with a text in their key or name. */
async function findFeatureIds(store: Store, text: string): Promise<readonly string[]> {
  const { items } = await store.collection('features').list({ search: { text, in: ['key', 'name'] } })
  return items.map(({ _id }) => _id)
}

/** Sorts entries in the order in which they were written, even within one millisecond. */
const IN_A_FEATURE = { sortBy: 'sequence' } as const
/** Unchained entries have no position and are older than chained ones. */
const IN_THE_LOG = { sortBy: 'position', thenBy: 'createdAt', missing: 'lowest' } as const

/** Reads the entries of a feature, the newest first. */
export function scanFeatureEntries(store: Store, _feature: string): AsyncIterable<StoredAuditEntry> {
  return store.collection('auditEntries').scan({ where: { _feature }, ...IN_A_FEATURE, sortOrder: 'desc' })
}

/** Returns the newest entry of a feature. */
export async function findLatestEntry(
  entries: Collection<StoredAuditEntry>,
  _feature: string
): Promise<StoredAuditEntry | undefined> {
  const { items } = await entries.list({ where: { _feature }, ...IN_A_FEATURE, sortOrder: 'desc', perPage: 1 })
  return items[0]
}

/** Lists the newest entry of each of many features. */
export async function listLatestEntries(
  entries: Collection<StoredAuditEntry>,
  features: readonly string[]
): Promise<readonly StoredAuditEntry[]> {
  if (features.length === 0) return []
  const query = { oneOf: { _feature: features }, firstOf: '_feature', ...IN_A_FEATURE, sortOrder: 'desc' } as const
  // A page, since the database reads entries after it has sorted their ids.
  return (await entries.list({ ...query, perPage: features.length })).items
}

/** Entries have UTC timestamps; requests may use any offset. */
function bound<Name extends 'from' | 'to'>(name: Name, date: string | undefined): { readonly [N in Name]?: string } {
  // An object with this one member.
  return (date === undefined ? {} : { [name]: toIsoString(date) }) as { readonly [N in Name]?: string }
}

/** Converts a stored entry to its API form. Personal data are shown to administrators only. */
export function toAuditLogEntry(entry: StoredAuditEntry, hasPersonalData = false): AuditLogEntry {
  const { _id, createdAt, idp_user, _project, _feature, actor, clientId, source, assistant, changeRequest } = entry
  const { workload } = entry
  const address = hasPersonalData ? entry.address : undefined
  return {
    _id,
    date: createdAt,
    idp_user,
    ...omitUndefined({ _project, _feature, actor, clientId, source, assistant, workload, address, changeRequest }),
    changes: hasPersonalData ? [...entry.changes] : entry.changes.map(withoutPersonalData)
  }
}

/** Removes the members of resources that lists omit as well. */
function withoutPersonalData(change: AuditLogChange): AuditLogChange {
  const [, members] = Object.entries(restrictedMembers).find(([name]) => change.type.endsWith(name)) ?? []
  if (members === undefined) return change
  const omit = (contents: AuditLogChange['newContents']) => {
    if (contents === null) return null
    return Object.fromEntries(Object.entries(contents).filter(([name]) => !members.has(name)))
  }
  return { ...change, newContents: omit(change.newContents), previousContents: omit(change.previousContents) }
}
