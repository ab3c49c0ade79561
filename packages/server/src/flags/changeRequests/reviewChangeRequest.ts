import type { ReviewChangeRequest } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { preconditionFailed } from '../../lib/errors.ts'
import { contentHash } from '../approvals/toChangeRequest.ts'
import type { ChangeRequestContext } from '../approvals/transitions.ts'
import { transitionChangeRequest } from './transitionChangeRequest.ts'

/**
 * Approves or rejects a change request.
 * @throws {HttpError} 405 or 403 when its status or the caller does not allow it, 412 when its content has changed since
 * the reviewer read it.
 */
export function reviewChangeRequest(
  change: Edit,
  subject: ChangeRequestContext,
  { action, comment, contentHash: seen }: ReviewChangeRequest
): Promise<ChangeRequestContext> {
  const { request } = subject
  const hash = contentHash(request)
  const review = { idp_user: change.caller.id, action, comment, createdAt: change.at, contentHash: hash }
  return transitionChangeRequest(change, subject, action === 'approved' ? 'approve' : 'reject', () => {
    assertContentUnchanged(seen, hash)
    return { reviews: [...request.reviews, review] }
  })
}

function assertContentUnchanged(seen: string | undefined, hash: string): void {
  if (seen === undefined || seen === hash) return
  throw preconditionFailed(
    `the change request has changed since it was read for review: its contentHash is ${hash}, got ${seen}`
  )
}
