import { type Action, statusAfter } from '../approval/transitions.ts'
import { modified } from '../audit/changes.ts'
import type { Edit } from '../audit/edit.ts'
import { itemNotFound } from '../errors.ts'
import type { StoredChangeRequest, StoredFeature, StoredProject } from '../store/resources.ts'
import type { Members } from '../store/store.ts'

/** A change request and what it is about. */
export interface Subject {
  readonly project: StoredProject
  readonly feature: StoredFeature
  readonly request: StoredChangeRequest
}

/**
 * Moves a change request on, and changes these members of it.
 * @throws {ApiError} 405 when its state does not allow the action, 403 when the caller may not.
 */
export async function move(
  { store, at, caller, note }: Edit,
  subject: Subject,
  action: Action,
  members: Members<StoredChangeRequest> = {}
): Promise<Subject> {
  const { project, request } = subject
  const status = statusAfter(action, request, project, caller)
  const changed = { ...members, status, updatedAt: at, _updatedBy: caller.id }
  const after = await store.collection('changeRequests').update(request._id, changed)
  if (!after) throw itemNotFound(request._id)
  note({ _project: project._id }, modified('ChangeRequest', request, after))
  return { ...subject, request: after }
}
