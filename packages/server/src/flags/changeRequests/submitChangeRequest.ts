import type { SubmitChangeRequest } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { operationNotAllowed } from '../../lib/errors.ts'
import { findOpenRequest } from '../approvals/openRequests.ts'
import type { ChangeRequestContext } from '../approvals/transitions.ts'
import { transitionChangeRequest } from './transitionChangeRequest.ts'

/**
 * Submits a change request for review.
 * @throws {HttpError} 405 or 403 when its status or the caller does not allow it, 405 when the feature has another open
 * change request.
 */
export function submitChangeRequest(
  change: Edit,
  subject: ChangeRequestContext,
  { description, reviewers }: SubmitChangeRequest
): Promise<ChangeRequestContext> {
  return transitionChangeRequest(change, subject, 'submit', async () => {
    const open = subject.feature && (await findOpenRequest(change.store, subject.feature))
    if (open) throw operationNotAllowed(`another change request of the feature is ${open.status}: ${open._id}`)
    return { description, reviewers: { users: [...new Set(reviewers)] } }
  })
}
