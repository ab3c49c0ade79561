import type { ChangeRequest } from '@burgee/contract/schemas'
import type { Identity } from '../../access/permissions/caller.ts'
import { forbidden, operationNotAllowed } from '../../lib/errors.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import type { StoredProject } from '../../storage/resources/project.ts'

/** An action on a change request. */
export type ChangeRequestAction = 'submit' | 'approve' | 'reject' | 'apply' | 'cancel' | 'edit' | 'rebase' | 'schedule'

/**
 * Who may take an action. `other publisher` excludes the creator of the request, the creator of the client that created
 * it, and clients of the creator.
 */
type Actor = 'creator' | 'publisher' | 'other publisher' | 'bypassing publisher'

interface Transition {
  readonly from: readonly ChangeRequest['status'][]
  readonly action: ChangeRequestAction
  readonly by: readonly Actor[]
  readonly to: ChangeRequest['status']
}

/** All transitions of change requests (docs/reference/management.md, Change requests). */
export const transitions: readonly Transition[] = [
  { from: ['draft'], action: 'submit', by: ['creator'], to: 'pending' },
  { from: ['pending'], action: 'approve', by: ['other publisher', 'bypassing publisher'], to: 'approved' },
  { from: ['pending'], action: 'reject', by: ['publisher'], to: 'rejected' },
  { from: ['approved'], action: 'apply', by: ['publisher', 'creator'], to: 'applied' },
  { from: ['draft', 'pending'], action: 'apply', by: ['bypassing publisher'], to: 'applied' },
  { from: ['draft', 'pending', 'approved'], action: 'cancel', by: ['creator', 'publisher'], to: 'cancelled' },
  { from: ['draft', 'pending', 'approved'], action: 'edit', by: ['creator'], to: 'draft' },
  { from: ['draft', 'pending', 'approved'], action: 'rebase', by: ['creator'], to: 'draft' },
  { from: ['approved'], action: 'schedule', by: ['publisher', 'creator'], to: 'approved' }
]

/** The caller, as far as transitions depend on it. */
type ActingIdentity = Pick<Identity, 'id' | 'access' | 'createdBy'>

/**
 * Returns the status of a change request after an action of the caller.
 * @throws {HttpError} 405 when its status does not allow the action, 403 when the caller may not take it.
 */
export function getNextStatus(
  action: ChangeRequestAction,
  request: StoredChangeRequest,
  project: StoredProject,
  caller: ActingIdentity
): ChangeRequest['status'] {
  const transition = transitions.find((known) => known.action === action && known.from.includes(request.status))
  if (!transition) {
    const states = transitions.filter((known) => known.action === action).flatMap(({ from }) => from)
    throw operationNotAllowed(
      `cannot ${action} a change request with status ${request.status}; its status should be ${states.join(' or ')}`
    )
  }
  if (!isOneOfActors(transition.by, request, project, caller)) {
    const actors = transition.by.map((actor) => actorDescriptions[actor]).join(' and ')
    throw forbidden(`only ${actors} may ${action} a change request with status ${request.status}`)
  }
  return transition.to
}

/** Whether a person may approve a change request. */
export function canApprove(request: StoredChangeRequest, project: StoredProject, reviewer: ActingIdentity): boolean {
  return transitions.some(({ action, by }) => action === 'approve' && isOneOfActors(by, request, project, reviewer))
}

/** Whether the caller may make changes without approval in a project. */
export function canBypassApproval(project: StoredProject, caller: Pick<ActingIdentity, 'access'>): boolean {
  return project.settings.featureApprovalWorkflow.allowPublisherBypass && isPublisher(project, caller)
}

function isOneOfActors(
  actors: readonly Actor[],
  request: StoredChangeRequest,
  project: StoredProject,
  caller: ActingIdentity
): boolean {
  return actors.some((actor) => isActor[actor](request, project, caller))
}

const isActor: Readonly<
  Record<Actor, (request: StoredChangeRequest, project: StoredProject, caller: ActingIdentity) => boolean>
> = {
  creator: ({ _createdBy }, _, { id }) => _createdBy === id,
  publisher: (_request, project, caller) => isPublisher(project, caller),
  'other publisher': ({ _createdBy, _clientMaker }, project, caller) =>
    isPublisher(project, caller) &&
    _createdBy !== caller.id &&
    _createdBy !== caller.createdBy &&
    _clientMaker !== caller.id,
  'bypassing publisher': (_, project, caller) => canBypassApproval(project, caller)
}

const actorDescriptions: Readonly<Record<Actor, string>> = {
  creator: 'its creator',
  publisher: 'users with the permission feature:publish',
  'other publisher': 'other users with the permission feature:publish',
  'bypassing publisher': 'users with the permission feature:publish, if the project allows bypassing approval,'
}

function isPublisher({ _id }: Pick<StoredProject, '_id'>, { access }: Pick<ActingIdentity, 'access'>): boolean {
  return access.allows('feature:publish', _id)
}

/** A change request with its project and feature. */
export interface ChangeRequestContext {
  readonly project: StoredProject
  readonly feature: StoredFeature
  readonly request: StoredChangeRequest
}
