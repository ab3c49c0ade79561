import type { Issue } from '@burgee/contract/schemas'
import { createdChange, deletedChange } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { type FeaturePath, getFeature } from '../../access/lookup.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { itemNotFound } from '../../lib/errors.ts'
import type { Store } from '../../storage/store.ts'

/** The path of the issues of a feature in one tracker. */
interface IssuesPath extends FeaturePath {
  readonly issue_tracker: string
}

/** Links a feature to an issue. @throws {HttpError} 404 or 409 */
export async function linkIssue(
  { store, caller, recordFields, recordChanges }: Edit,
  path: IssuesPath,
  { issueId }: Issue
): Promise<Issue> {
  const { project, feature } = await getFeature(store, path, caller)
  const subject = { _project: project._id, _feature: feature._id }
  const link = { ...recordFields(), ...subject, tracker: path.issue_tracker, issueId }
  await store.collection('issueLinks').insert(link)
  recordChanges(subject, [createdChange('IssueLink', link)])
  return { issueId }
}

/** Lists the issues that a feature is linked to. @throws {HttpError} 404 */
export async function listIssues(store: Store, path: IssuesPath, caller: TokenCaller): Promise<Issue[]> {
  const { feature } = await getFeature(store, path, caller)
  const where = { _feature: feature._id, tracker: path.issue_tracker }
  const { items } = await store.collection('issueLinks').list({ where, sortBy: 'createdAt' })
  return items.map(({ issueId }) => ({ issueId }))
}

/** Removes the link of a feature to an issue. @throws {HttpError} 404 */
export async function unlinkIssue(
  { store, caller, recordChanges }: Edit,
  { issue_id: issueId, ...path }: IssuesPath & { readonly issue_id: string }
): Promise<void> {
  const { project, feature } = await getFeature(store, path, caller)
  const issueLinks = store.collection('issueLinks')
  const link = await issueLinks.get({ _feature: feature._id, tracker: path.issue_tracker, issueId })
  if (!link) throw itemNotFound('issue', issueId, { within: `feature "${path.feature}"` })
  await issueLinks.remove(link._id)
  recordChanges({ _project: project._id, _feature: feature._id }, [deletedChange('IssueLink', link)])
}
