import type { ChangeRequest } from '@burgee/contract/schemas'
import type { Identity } from '../../access/permissions/caller.ts'
import { forbidden, operationNotAllowed } from '../../lib/errors.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { reviewPermissions } from './reviewPermissions.ts'

/** An action on a change request. */
export type ChangeRequestAction =
  | 'submit'
  | 'approve'
  | 'approve in part'
  | 'approve later'
  | 'reject'
  | 'apply'
  | 'apply in an emergency'
  | 'cancel'
  | 'edit'
  | 'rebase'
  | 'schedule'

/**
 * Who may take an action. `publisher` has `feature:publish` and the permissions of the requested change.
 * `other publisher` excludes the person who made the request, directly or through a client, and that person's clients.
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
  // Further approvals are required.
  { from: ['pending'], action: 'approve in part', by: ['other publisher', 'bypassing publisher'], to: 'pending' },
  { from: ['pending'], action: 'reject', by: ['publisher'], to: 'rejected' },
  { from: ['approved'], action: 'apply', by: ['publisher', 'creator'], to: 'applied' },
  { from: ['draft', 'pending'], action: 'apply', by: ['bypassing publisher'], to: 'applied' },
  { from: ['draft', 'pending', 'approved'], action: 'apply in an emergency', by: ['publisher'], to: 'applied' },
  // After an emergency.
  { from: ['applied'], action: 'approve later', by: ['other publisher'], to: 'applied' },
  { from: ['draft', 'pending', 'approved'], action: 'cancel', by: ['creator', 'publisher'], to: 'cancelled' },
  { from: ['draft', 'pending', 'approved'], action: 'edit', by: ['creator'], to: 'draft' },
  { from: ['draft', 'pending', 'approved'], action: 'rebase', by: ['creator'], to: 'draft' },
  { from: ['approved'], action: 'schedule', by: ['publisher', 'creator'], to: 'approved' }
]

/** The caller, as far as transitions depend on it. */
export interface ActingIdentity extends Pick<Identity, 'id' | 'access'> {
  /** Whether the caller and the creator of the request have the same root (`findRoot`). */
  readonly isRequester: boolean
}

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
    const actors = describeActors(transition.by, request, project)
    if (actors === '') {
      throw forbidden(
        `project "${project.key}" requires approval: only an approved change request can be applied, and this one has status ${request.status}`
      )
    }
    const rule = `only ${actors} may ${action} a change request with status ${request.status}`
    const isAlias = caller.isRequester && caller.id !== request._createdBy
    throw forbidden(isAlias ? `${rule}; ${caller.id} counts as its creator` : rule)
  }
  return transition.to
}

/** Whether a person may approve a change request. */
export function canApprove(request: StoredChangeRequest, project: StoredProject, reviewer: ActingIdentity): boolean {
  return transitions.some(({ action, by }) => action === 'approve' && isOneOfActors(by, request, project, reviewer))
}

/** Whether the caller can make changes in a project without approval. */
export function canBypassApproval(
  project: StoredProject,
  caller: Pick<Identity, 'access'>,
  operation: StoredChangeRequest['operation'] = 'featureUpdate'
): boolean {
  return project.settings.featureApprovalWorkflow.allowPublisherBypass && isPublisher(operation, project, caller)
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
  publisher: ({ operation }, project, caller) => isPublisher(operation, project, caller),
  'other publisher': ({ operation }, project, caller) => isPublisher(operation, project, caller) && !caller.isRequester,
  'bypassing publisher': ({ operation }, project, caller) => canBypassApproval(project, caller, operation)
}

/** Describes who may take an action; empty if nobody may, because the project does not allow bypassing approval. */
function describeActors(actors: readonly Actor[], { operation }: StoredChangeRequest, project: StoredProject): string {
  const isBypassed = project.settings.featureApprovalWorkflow.allowPublisherBypass
  const needed = ['feature:publish', ...reviewPermissions[operation]].join(' and ')
  const descriptions: Readonly<Record<Actor, string>> = {
    creator: 'its creator',
    publisher: `users with ${needed}`,
    'other publisher': `other users with ${needed}`,
    'bypassing publisher': `users with ${needed}`
  }
  // Bypassing publishers include the others.
  const hidden = isBypassed && actors.includes('bypassing publisher') ? 'other publisher' : 'bypassing publisher'
  const applicable = actors.filter((actor) => actor !== hidden)
  return applicable.map((actor) => descriptions[actor]).join(' and ')
}

function isPublisher(
  operation: StoredChangeRequest['operation'],
  { _id }: Pick<StoredProject, '_id'>,
  { access }: Pick<Identity, 'access'>
): boolean {
  return (['feature:publish', ...reviewPermissions[operation]] as const).every((name) => access.allows(name, _id))
}

/** A change request with its project and, if it changes one, its feature. */
export interface ChangeRequestContext {
  readonly project: StoredProject
  readonly feature?: StoredFeature | undefined
  readonly request: StoredChangeRequest
}
