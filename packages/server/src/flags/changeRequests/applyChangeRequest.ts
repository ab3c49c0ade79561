import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../lib/parseBody.ts'
import type { StoredChangeRequest } from '../../storage/resources.ts'
import type { ItemPatch } from '../../storage/store.ts'
import { assertApproved } from '../approvals/assertApproved.ts'
import type { ChangeRequestContext } from '../approvals/transitions.ts'
import { assertEffectUnchanged } from './assertEffectUnchanged.ts'
import { executeRequestedChange, rethrowAsPreconditionFailed } from './executeRequestedChange.ts'
import { assertFeatureUnchanged } from './featureSnapshot.ts'
import { transitionChangeRequest } from './transitionChangeRequest.ts'

/**
 * Makes what a change request asks for come true, and changes these members of it.
 * @throws {ApiError} 405 or 403 as its state says, 412 when no approval of it holds or the change cannot be made any more,
 * 409 when the feature, or what would become of it, has changed since.
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
