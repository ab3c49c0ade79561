import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import type { StoredChangeRequest } from '../../storage/resources.ts'
import type { ItemPatch } from '../../storage/store.ts'
import { assertApproved } from '../approvals/assertApproved.ts'
import type { ChangeRequestContext } from '../approvals/transitions.ts'
import { assertEffectUnchanged } from './assertEffectUnchanged.ts'
import { executeRequestedChange, rethrowAsPreconditionFailed } from './executeRequestedChange.ts'
import { assertFeatureUnchanged } from './featureSnapshot.ts'
import { transitionChangeRequest } from './transitionChangeRequest.ts'

/**
 * Applies a change request, and updates these members of it.
 * @throws {HttpError} 405 or 403 when its status or the caller does not allow it, 412 when it has no valid approval or
 * the change is no longer possible, 409 when the feature or the effect has changed since.
 */
export async function applyChangeRequest(
  change: Edit,
  subject: ChangeRequestContext,
  validate: ParseBody,
  members: ItemPatch<StoredChangeRequest> = {}
): Promise<void> {
  const { project, feature } = subject
  const { request } = await transitionChangeRequest(change, subject, 'apply', () => members)
  await assertApproved(change.store, subject, change.caller)
  await assertFeatureUnchanged(change.store, subject)
  await assertEffectUnchanged(change, subject, validate)
  await executeRequestedChange(change, { ...request, project, feature }, validate).catch(rethrowAsPreconditionFailed)
}
