import type { IssueTrackerConnection } from '@burgee/contract/schemas'
import { createdChange, deletedChange, modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit, EditScope } from '../../access/audit/edit.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { listVisibleProjectIds } from '../../access/permissions/listVisibleProjectIds.ts'
import { conflict, itemNotFound } from '../../lib/errors.ts'
import { maskSecret } from '../../lib/secrets/mask.ts'
import type { StoredIssueTracker } from '../../storage/resources/integration.ts'
import type { Store } from '../../storage/store.ts'

/** The name of an issue tracker in paths, and the token of a connection with it. */
export interface IssueTrackerPath {
  readonly issue_tracker: string
  readonly token: string
}

/** Lists the connections of the organization, and of the projects that the caller can see. */
export async function listIssueTrackers(store: Store, caller: TokenCaller): Promise<IssueTrackerConnection[]> {
  const where = { _organization: caller.organization }
  const { items } = await store.collection('issueTrackers').list({ where, sortBy: 'createdAt' })
  const visible = new Set(await listVisibleProjectIds(store, caller, 'project:read'))
  return items
    .filter(({ _project }) => _project === undefined || visible.has(_project))
    .map(({ tracker, token, baseUrl, _project }) => ({
      issue_tracker: tracker,
      token: maskSecret(token),
      baseUrl,
      ...(_project === undefined ? {} : { _project })
    }))
}

/**
 * Connects an issue tracker with the organization or one project, or changes the address of the connection.
 * @throws {HttpError} 409 if the token belongs to another connection.
 */
export async function connectIssueTracker(
  { store, caller, recordFields, at, recordChanges }: Edit,
  { issue_tracker: tracker, token }: IssueTrackerPath,
  { baseUrl, _project }: Pick<StoredIssueTracker, 'baseUrl' | '_project'>
): Promise<void> {
  const trackers = store.collection('issueTrackers')
  const before = await trackers.get({ tracker, token })
  if (!before) {
    const connection = { tracker, token, baseUrl, ...(_project === undefined ? {} : { _project }) }
    const inserted = await trackers.insert({ ...recordFields(), ...connection, _organization: caller.organization })
    return recordChanges(scopeOf(inserted), [createdChange('IssueTracker', inserted)])
  }
  // The target of a token cannot change: the deprecated operations distinguish connections by it.
  if (before._organization !== caller.organization || before._project !== _project) {
    const message = `it already belongs to another ${tracker} connection; delete that one, or use another token`
    throw conflict(`Duplicate token '${maskSecret(token)}': ${message}`)
  }
  const after = { ...before, baseUrl, updatedAt: at }
  await trackers.update(before._id, after)
  recordChanges(scopeOf(after), modifiedChanges('IssueTracker', before, after))
}

/** Removes a connection with an issue tracker. @throws {HttpError} 404 if there is none that matches. */
export async function disconnectIssueTracker(
  { store, caller, recordChanges }: Edit,
  { issue_tracker: tracker, token }: IssueTrackerPath,
  matches: (connection: StoredIssueTracker) => boolean = () => true
): Promise<void> {
  const trackers = store.collection('issueTrackers')
  const connection = await trackers.get({ tracker, token, _organization: caller.organization })
  if (!connection || !matches(connection)) throw itemNotFound('issue tracker connection', maskSecret(token))
  await trackers.remove(connection._id)
  recordChanges(scopeOf(connection), [deletedChange('IssueTracker', connection)])
}

function scopeOf({ _project }: StoredIssueTracker): EditScope {
  return _project === undefined ? {} : { _project }
}
