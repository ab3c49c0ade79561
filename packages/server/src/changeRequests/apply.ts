import { demandApproval } from '../approval/demandApproval.ts'
import type { Subject } from '../approval/subject.ts'
import type { Edit } from '../audit/edit.ts'
import type { StoredChangeRequest } from '../store/resources.ts'
import type { Members } from '../store/store.ts'
import type { Validate } from '../validate.ts'
import { asPrecondition } from './asPrecondition.ts'
import { demandSameEffect } from './effect.ts'
import { move } from './move.ts'
import { perform } from './perform.ts'
import { demandUnchanged } from './snapshot.ts'

/**
 * Makes what a change request asks for come true, and changes these members of it.
 * @throws {ApiError} 405 or 403 as its state says, 412 when no approval of it holds or the change cannot be made any more,
 * 409 when the feature, or what would become of it, has changed since.
 */
export async function apply(
  change: Edit,
  subject: Subject,
  validate: Validate,
  members: Members<StoredChangeRequest> = {}
): Promise<void> {
  const { project, feature } = subject
  const { request } = await move(change, subject, 'apply', () => members)
  await demandApproval(change.store, subject, change.caller)
  await demandUnchanged(change.store, subject)
  await demandSameEffect(change, subject, validate)
  await perform(change, { ...request, project, feature }, validate).catch(asPrecondition)
}
