import { createHash } from 'node:crypto'
import type { Permission } from '@burgee/contract'
import type { AuditLogChange } from '@burgee/contract/schemas'
import stringify from 'fast-json-stable-stringify'
import { matchesEveryEtag, parseEtags, toStrongEtag } from '../../lib/etag.ts'
import { toIsoString } from '../../lib/time.ts'
import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import type { RecordFields } from '../../storage/resources/recordFields.ts'
import type { Store } from '../../storage/store.ts'
import type { TokenCaller } from '../permissions/caller.ts'
import { type ConflictingRevision, revisionConflict } from '../permissions/managementError.ts'
import { revisedContents } from './changes.ts'
import { findLatestEntry, listLatestEntries } from './listAuditEntries.ts'

/** A resource whose revision a request requires. */
interface Requirement {
  /** The header `If-Match`; `undefined` requires nothing. */
  readonly ifMatch: string | undefined
  readonly caller: TokenCaller
  /** The permission to read the resource, which the changes since a revision require. */
  readonly permission: Permission
}

/**
 * Returns the revision of a resource other than a feature: the time of its last change, and a digest of the members
 * that the audit log records. Secrets are left out: a reader of the digest could verify a guess.
 */
export function itemRevision(item: Pick<RecordFields, 'updatedAt'>): string {
  const digest = createHash('sha256').update(stringify(revisedContents(item)))
  return `${Date.parse(item.updatedAt).toString(36)}-${digest.digest('base64url').slice(0, DIGEST_LENGTH)}`
}

const DIGEST_LENGTH = 16

/** Asserts that a resource other than a feature has a required revision. @throws {HttpError} 412 */
export async function assertItemRevision(
  { store }: { readonly store: Store },
  item: RecordFields & { readonly _project?: string },
  { ifMatch, caller, permission }: Requirement
): Promise<void> {
  // A project belongs to itself.
  const { _project = item._id } = item
  const current = itemRevision(item)
  await assertRevision(ifMatch, current, async (required) => {
    if (!caller.access.allows(permission, _project)) return undefined
    const times = required.map((tag) => Number.parseInt(/^([0-9a-z]{1,9})-/.exec(tag)?.[1] ?? '', 36))
    const after = Math.max(...times.filter((time) => time <= Date.parse(item.updatedAt)))
    if (!Number.isFinite(after)) return []
    const later = store.collection('auditEntries').scan({
      where: { _project },
      between: { member: 'createdAt', from: toIsoString(after + 1) },
      sortBy: 'position',
      sortOrder: 'desc'
    })
    const since: StoredAuditEntry[] = []
    for await (const entry of later) {
      if (since.length === MAX_LISTED_ENTRIES) break
      if (entry.changes.some((change) => concerns(change, item._id))) since.push(entry)
    }
    return since
  })
}

/** Whether a change is of the resource with this id. */
function concerns({ metadata, newContents, previousContents }: AuditLogChange, id: string): boolean {
  return [metadata, newContents, previousContents].some((members) => {
    // A change of a feature lists the variables that it changes.
    const { _id, variables = [] }: { readonly _id?: unknown; readonly variables?: unknown } = members ?? {}
    return _id === id || (Array.isArray(variables) && variables.some((variable) => variable?._id === id))
  })
}

/** Asserts that a feature has a required revision. @throws {HttpError} 412 */
export async function assertFeatureRevision(
  { store }: { readonly store: Store },
  { _id, _project }: { readonly _id: string; readonly _project: string },
  { ifMatch, caller }: Pick<Requirement, 'ifMatch' | 'caller'>
): Promise<void> {
  if (ifMatch === undefined) return
  await assertRevision(ifMatch, await readFeatureRevision(store, _id), async (required) => {
    if (!caller.access.allows('feature:read', _project)) return undefined
    const entries = await listFeatureChanges(store, _id)
    const index = entries.findIndex((entry) => required.includes(entry._id))
    if (index >= 0) return entries.slice(0, index)
    return required.includes(_id) ? entries : []
  })
}

/** Finds the entries since one of the required revisions; `undefined` if the caller may not read them. */
type FindEntriesSince = (required: readonly string[]) => Promise<readonly StoredAuditEntry[] | undefined>

async function assertRevision(ifMatch: string | undefined, current: string, findSince: FindEntriesSince) {
  if (ifMatch === undefined) return
  const required = parseEtags(ifMatch)
  if (matchesEveryEtag(ifMatch) || required.includes(current)) return
  const since = (await findSince(required))?.slice(0, MAX_LISTED_ENTRIES)
  throw revisionConflict(
    required,
    { current, ...(since ? { since: since.map(toRevisionChange) } : {}) },
    { etag: toStrongEtag(current) }
  )
}

const MAX_LISTED_ENTRIES = 5

function toRevisionChange({ _id, createdAt, idp_user, changes }: StoredAuditEntry): ConflictingRevision {
  return { _id, date: createdAt, idp_user, types: [...new Set(changes.map(({ type }) => type))] }
}

/** Returns the revision of a feature: the id of the newest audit entry that changed it, or its own id without any. */
export async function readFeatureRevision(store: Store, _feature: string): Promise<string> {
  return (await findLatestChange(store, _feature))?._id ?? _feature
}

/** Returns the newest audit entry that changed a feature; `undefined` without any. */
export async function findLatestChange(store: Store, _feature: string): Promise<StoredAuditEntry | undefined> {
  const entries = store.collection('auditEntries')
  const latest = await findLatestEntry(entries, _feature)
  if (!latest || changesFeature(latest.changes)) return latest
  const query = { where: { _feature }, sortBy: 'sequence', sortOrder: 'desc' } as const
  for (let page = 1; ; page++) {
    const { items } = await entries.list({ ...query, page, perPage: ENTRIES_PER_READ })
    const newest = items.find(({ changes }) => changesFeature(changes))
    if (newest) return newest
    if (items.length < ENTRIES_PER_READ) return undefined
  }
}

/**
 * Returns the newest audit entry that changed each of many features, by the id of the feature, in one query if
 * possible.
 */
export async function findLatestChanges(
  store: Store,
  features: readonly string[]
): Promise<ReadonlyMap<string, StoredAuditEntry>> {
  const changes = new Map<string, StoredAuditEntry>()
  for (const latest of await listLatestEntries(store.collection('auditEntries'), features)) {
    const { _feature } = latest
    if (_feature === undefined) continue
    const change = changesFeature(latest.changes) ? latest : await findLatestChange(store, _feature)
    if (change) changes.set(_feature, change)
  }
  return changes
}

/** If the newest entry did not change the feature, usually one of those before it did. */
const ENTRIES_PER_READ = 10

/** Returns the audit entries that changed a feature, newest first. */
export async function listFeatureChanges(store: Store, _feature: string): Promise<readonly StoredAuditEntry[]> {
  const query = { where: { _feature }, sortBy: 'sequence', sortOrder: 'desc' } as const
  const { items } = await store.collection('auditEntries').list(query)
  return items.filter(({ changes }) => changesFeature(changes))
}

/** Whether one of the changes of an entry changed its feature. */
export function changesFeature(changes: StoredAuditEntry['changes']): boolean {
  return changes.some(({ type }) => !UNRELATED_CHANGES.test(type))
}

/** Types of changes that are recorded with a feature and do not change it. */
const UNRELATED_CHANGES = /(MetricAssociation|IssueLink|Override)$/
