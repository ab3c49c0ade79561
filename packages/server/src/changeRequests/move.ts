import type { Subject } from '../approval/subject.ts'
import { type Action, statusAfter } from '../approval/transitions.ts'
import { modified } from '../audit/changes.ts'
import type { Edit } from '../audit/edit.ts'
import { itemNotFound } from '../errors.ts'
import type { StoredChangeRequest } from '../store/resources.ts'
import type { Members } from '../store/store.ts'

/** The members of a change request that is not applied by itself. */
export const unscheduled = {
  applyAt: undefined,
  _scheduledBy: undefined,
  _scheduledThrough: undefined,
  scheduleFailure: undefined
} as const satisfies Members<StoredChangeRequest>

/**
 * Moves a change request on, and changes these members of it, which are worked out once it is known that it can be moved.
 * It is applied by itself only if they say so.
 * @throws {ApiError} 405 when its state does not allow the action, 403 when the caller may not.
 */
export async function move(
  { store, at, caller, note }: Edit,
  subject: Subject,
  action: Action,
  members: () => Promise<Members<StoredChangeRequest>> | Members<StoredChangeRequest> = () => ({})
): Promise<Subject> {
  const { project, request } = subject
  const status = statusAfter(action, request, project, caller)
  const changed = { ...unscheduled, ...(await members()), status, updatedAt: at, _updatedBy: caller.id }
  const after = await store.collection('changeRequests').update(request._id, changed)
  if (!after) throw itemNotFound(request._id)
  note({ _project: project._id }, modified('ChangeRequest', request, after))
  return { ...subject, request: after }
}
