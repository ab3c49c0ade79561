import type { ChangeRequest } from '@burgee/contract'
import type { TokenCaller } from '../caller.ts'
import { forbidden, notAllowed } from '../errors.ts'
import type { StoredChangeRequest, StoredProject } from '../store/resources.ts'

/** What can be done to a change request. */
export type Action = 'submit' | 'approve' | 'reject' | 'apply' | 'cancel'

/** Who may do it: whoever made the request, those who publish features, those of them who did not make it, or who need no approval. */
type Actor = 'creator' | 'publisher' | 'other publisher' | 'bypassing publisher'

interface Transition {
  readonly from: readonly ChangeRequest['status'][]
  readonly action: Action
  readonly by: readonly Actor[]
  readonly to: ChangeRequest['status']
}

/** The life of a change request (`management.md` §8). What is not listed cannot be done. */
export const transitions: readonly Transition[] = [
  { from: ['draft'], action: 'submit', by: ['creator'], to: 'pending' },
  { from: ['pending'], action: 'approve', by: ['other publisher', 'bypassing publisher'], to: 'approved' },
  { from: ['pending'], action: 'reject', by: ['publisher'], to: 'rejected' },
  { from: ['approved'], action: 'apply', by: ['publisher', 'creator'], to: 'applied' },
  { from: ['draft', 'pending'], action: 'apply', by: ['bypassing publisher'], to: 'applied' },
  { from: ['draft', 'pending', 'approved'], action: 'cancel', by: ['creator', 'publisher'], to: 'cancelled' }
]

/**
 * What a change request becomes when the caller does this to it.
 * @throws {ApiError} 405 when nobody can in its present state, 403 when this caller may not.
 */
export function statusAfter(
  action: Action,
  request: StoredChangeRequest,
  project: StoredProject,
  caller: TokenCaller
): ChangeRequest['status'] {
  const transition = transitions.find((known) => known.action === action && known.from.includes(request.status))
  if (!transition) {
    const states = transitions.filter((known) => known.action === action).flatMap(({ from }) => from)
    throw notAllowed(`a change request should be ${states.join(' or ')} to ${action} it, got status ${request.status}`)
  }
  if (!transition.by.some((actor) => isActor[actor](request, project, caller))) {
    const actors = transition.by.map((actor) => names[actor]).join(' and ')
    throw forbidden(`only ${actors} may ${action} a change request that is ${request.status}`)
  }
  return transition.to
}

/** Whether the caller needs nobody's approval in a project. */
export function bypasses({ settings }: StoredProject, caller: TokenCaller): boolean {
  return settings.featureApprovalWorkflow.allowPublisherBypass && isPublisher(caller)
}

const isActor: Readonly<
  Record<Actor, (request: StoredChangeRequest, project: StoredProject, caller: TokenCaller) => boolean>
> = {
  creator: ({ _createdBy }, _, { id }) => _createdBy === id,
  publisher: (_request, _project, caller) => isPublisher(caller),
  'other publisher': ({ _createdBy }, _, caller) => isPublisher(caller) && _createdBy !== caller.id,
  'bypassing publisher': (_, project, caller) => bypasses(project, caller)
}

const names: Readonly<Record<Actor, string>> = {
  creator: 'whoever made it',
  publisher: 'those who publish features',
  'other publisher': 'others who publish features',
  'bypassing publisher': 'those who publish features, where the project allows them to bypass approval,'
}

function isPublisher({ permissions }: TokenCaller): boolean {
  return permissions.has('feature:publish')
}
