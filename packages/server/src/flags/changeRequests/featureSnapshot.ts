import { isProtected } from '@burgee/contract/schemas'
import { listFeatureChanges, readFeatureRevision } from '../../access/audit/revision.ts'
import { refused } from '../../access/permissions/managementError.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredAuditEntry, StoredChangeRequest } from '../../storage/resources/history.ts'
import type { Store } from '../../storage/store.ts'
import { formatChangeRequestLine } from '../approvals/formatRequestLine.ts'
import { environmentsOf } from '../approvals/lock.ts'
import type { ChangeRequestContext } from '../approvals/transitions.ts'
import { listEnvironments } from '../features/readFeatureContext.ts'

/**
 * Returns an id of the current state of a feature: the id of the newest audit entry that changed it, or the feature's
 * own id when there is none. A change request stores the id of the state that it was created from.
 */
export async function readSnapshotId(store: Store, feature: StoredFeature): Promise<string> {
  return readFeatureRevision(store, feature._id)
}

/**
 * Asserts that a feature has not changed since a change request was created from it.
 * @throws {HttpError} 409 with the changes.
 */
export async function assertFeatureUnchanged(store: Store, subject: ChangeRequestContext): Promise<void> {
  const { feature, request } = subject
  // The effect of a request of a project includes the values that it replaces.
  if (!feature) return
  const since = await entriesSince(store, feature, request)
  if (since.length === 0) return
  const rebase = formatChangeRequestLine('rebase', subject)
  throw refused(
    'ERR_FEATURE_CHANGED',
    `feature "${feature.key}" has changed since the change request was created: ${describeEntries(since)}. ${rebase} rebases it on the current state`
  )
}

/**
 * Asserts that a feature, or the effect of a change request on it, has changed since the request was created.
 * @throws {HttpError} 409
 */
export async function assertFeatureChanged(
  store: Store,
  { project, feature, request }: ChangeRequestContext,
  present: Pick<StoredChangeRequest, 'effect'>
): Promise<void> {
  if (present.effect !== request.effect) return
  const since = feature ? await entriesSince(store, feature, request) : []
  if (since.length > 0) return
  const what = feature ? `feature "${feature.key}"` : `what the change request changes in project "${project.key}"`
  throw refused(
    'ERR_FEATURE_UNCHANGED',
    `${what} has not changed since the change request was created, so it needs no rebase`
  )
}

/**
 * The entries since the snapshot of a request, newest first. Changes of unprotected environments that the request
 * does not change are left out: the request does not lock them.
 */
async function entriesSince(
  store: Store,
  feature: StoredFeature,
  request: StoredChangeRequest
): Promise<readonly StoredAuditEntry[]> {
  const entries = await listFeatureChanges(store, feature._id)
  const index = entries.findIndex(({ _id }) => _id === request._baseFeatureSnapshot)
  const since = index < 0 ? entries : entries.slice(0, index)
  if (since.length === 0) return since
  const locked = environmentsOf(request)
  const environments = await listEnvironments(store, { _id: feature._project })
  const open = new Set(environments.filter((each) => !isProtected(each) && !locked.has(each._id)).map(({ _id }) => _id))
  return since.filter(({ changes }) => {
    return !changes.every(
      ({ _environments = [] }) => _environments.length > 0 && _environments.every((id) => open.has(id))
    )
  })
}

/** Describes the newest entries: types of change, caller and time. */
function describeEntries(entries: readonly StoredAuditEntry[]): string {
  const shown = entries.slice(0, MAX_LISTED_ENTRIES).map(({ changes, idp_user, createdAt }) => {
    return `${[...new Set(changes.map(({ type }) => type))].join(', ')} by ${idp_user} at ${createdAt}`
  })
  const rest = entries.length - shown.length
  return [...shown, ...(rest > 0 ? [`${rest} more before`] : [])].join('; ')
}

const MAX_LISTED_ENTRIES = 5
