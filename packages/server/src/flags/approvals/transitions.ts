import {
  type ActorFacts,
  type ChangeRequestAction,
  type ChangeRequestActor,
  changeRequestTransitions,
  findTransition,
  isOneOfActors
} from '@burgee/contract/rules'
import type { ChangeRequest } from '@burgee/contract/schemas'
import type { Identity } from '../../access/permissions/caller.ts'
import { forbidden, operationNotAllowed } from '../../lib/errors.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { reviewPermissions } from './reviewPermissions.ts'

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
  const transition = findTransition(action, request.status)
  if (!transition) {
    const states = changeRequestTransitions.filter((known) => known.action === action).flatMap(({ from }) => from)
    throw operationNotAllowed(
      `cannot ${action} a change request with status ${request.status}; its status should be ${states.join(' or ')}`
    )
  }
  if (!isOneOfActors(transition.by, actorFacts(request, project, caller))) {
    const actors = describeActors(transition.by, request, project)
    if (actors === '') {
      throw forbidden(
        `project "${project.key}" requires approval: only an approved change request can be applied, and this one has status ${request.status}`
      )
    }
    const rule = `only ${actors} may ${action} a change request with status ${request.status}`
    // Only other publishers exclude the clients of the creator.
    const isAlias = caller.isRequester && caller.id !== request._createdBy && transition.by.includes('other publisher')
    throw forbidden(isAlias ? `${rule}; ${caller.id} counts as its creator` : rule)
  }
  return transition.to
}

/** Whether a person may approve a change request. */
export function canApprove(request: StoredChangeRequest, project: StoredProject, reviewer: ActingIdentity): boolean {
  const facts = actorFacts(request, project, reviewer)
  return changeRequestTransitions.some(({ action, by }) => action === 'approve' && isOneOfActors(by, facts))
}

/** Whether the caller can make changes in a project without approval. */
export function canBypassApproval(
  project: StoredProject,
  caller: Pick<Identity, 'access'>,
  operation: StoredChangeRequest['operation'] = 'featureUpdate'
): boolean {
  return project.settings.featureApprovalWorkflow.allowPublisherBypass && isPublisher(operation, project, caller)
}

function actorFacts(
  { _createdBy, operation }: StoredChangeRequest,
  project: StoredProject,
  caller: ActingIdentity
): ActorFacts {
  return {
    isCreator: _createdBy === caller.id,
    isRequester: caller.isRequester,
    isPublisher: isPublisher(operation, project, caller),
    allowPublisherBypass: project.settings.featureApprovalWorkflow.allowPublisherBypass
  }
}

/** Describes who may take an action; empty if nobody may, because the project does not allow bypassing approval. */
function describeActors(
  actors: readonly ChangeRequestActor[],
  { operation }: StoredChangeRequest,
  project: StoredProject
): string {
  const isBypassed = project.settings.featureApprovalWorkflow.allowPublisherBypass
  const needed = ['feature:publish', ...reviewPermissions[operation]].join(' and ')
  const descriptions: Readonly<Record<ChangeRequestActor, string>> = {
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
