import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import type { ChangeRequestContext } from '../approvals/transitions.ts'
import { draftChangeRequest } from './draftChangeRequest.ts'
import { rethrowAsPreconditionFailed } from './executeRequestedChange.ts'
import { assertFeatureChanged } from './featureSnapshot.ts'
import { transitionChangeRequest } from './transitionChangeRequest.ts'

/**
 * Turns a change request into a draft on the current state of the feature.
 * @throws {HttpError} 405 or 403 when its status or the caller does not allow it, 412 when the change is no longer
 * possible or the feature has not changed.
 */
export function rebaseChangeRequest(
  change: Edit,
  subject: ChangeRequestContext,
  validate: ParseBody
): Promise<ChangeRequestContext> {
  const { operation, body, _target } = subject.request
  return transitionChangeRequest(change, subject, 'rebase', async () => {
    const drafting = draftChangeRequest(change, { ...subject, operation, body, _target }, validate)
    const draft = await drafting.catch(rethrowAsPreconditionFailed)
    await assertFeatureChanged(change.store, subject, draft)
    return draft
  })
}
