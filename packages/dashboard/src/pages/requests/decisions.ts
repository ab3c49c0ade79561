import {
  approvalAction,
  approversOf,
  type ChangeRequestAction,
  findTransition,
  isOneOfActors,
  reviewedStatus
} from '@burgee/contract/rules'
import { missingPermission } from '../../components/access/permissionWords.ts'
import { missingApprovals } from '../../components/feature/approvers.ts'
import type { AnyRequest } from './useRequestActions.ts'

/** What the possible actions of a person on a request depend on. */
export interface ReviewContext {
  readonly person: string
  readonly mayPublish: boolean
  readonly mayWrite: boolean
  /** Whether the feature has changed since the request was made. */
  readonly isStale: boolean
  /** Whether it is not known yet if the feature has changed. */
  readonly isUnchecked?: boolean
  /** Whether the request changes the project itself, which says only when it is applied whether it still fits. */
  readonly isOfProject?: boolean
  readonly requiredApprovals: number
  readonly allowPublisherBypass: boolean
  readonly allowEmergency: boolean
}

/** An action on a request: absent if the status does not allow it, with a reason if the person may not take it. */
export interface Decision {
  readonly reason?: string
}

/** The actions on a request that its status allows. */
export interface Decisions {
  readonly approve?: Decision
  readonly approveAndApply?: Decision
  readonly reject?: Decision
  readonly apply?: Decision
  readonly schedule?: Decision
  readonly submit?: Decision
  readonly rebase?: Decision
  readonly cancel?: Decision
  readonly bypass?: Decision & { readonly kind: 'bypass' | 'emergency' }
}

/** Returns the actions on a request by the rules of the server, which checks them again. */
export function decide(request: AnyRequest, context: ReviewContext): Decisions {
  const { person, mayPublish, mayWrite, isStale, isUnchecked = false, isOfProject = false } = context
  const { requiredApprovals, allowPublisherBypass, allowEmergency } = context
  const { status, _createdBy } = request
  const isOwn = _createdBy === person
  const approvals = approversOf(request)
  const missing = missingApprovals(request, requiredApprovals)
  const reviewed = reviewedStatus(status, missing)
  const approval = approvalAction({ ...request, status: reviewed }, missing)
  const facts = { isCreator: isOwn, isRequester: isOwn, isPublisher: mayPublish, allowPublisherBypass }
  const mayApprove = isOneOfActors(findTransition(approval, reviewed)?.by ?? [], facts)
  const publish = mayPublish ? undefined : missingPermission('feature:publish')
  const review =
    publish ??
    (mayApprove ? undefined : 'it is your own request: another person has to approve it') ??
    (approvals.has(person) ? 'you have approved it' : undefined)
  const unchecked = isUnchecked ? 'checking whether the feature has changed since' : undefined
  const stale = isStale ? 'the feature has changed since: the author has to update the request first' : unchecked
  const few = missing > 1 ? `needs ${missing} approvals` : undefined
  // The project requires more approvals than when the request was approved.
  const mayBypass = mayPublish && allowPublisherBypass
  const fewer =
    missing > 0 && !mayBypass ? `needs ${missing} more ${missing === 1 ? 'approval' : 'approvals'}` : undefined
  const author = isOwn ? undefined : 'only its author can do this'
  const publishOrAuthor = isOwn && mayWrite ? undefined : publish
  const allows = (action: ChangeRequestAction, from = status) => findTransition(action, from) !== undefined
  const isApplicable = allows('schedule')
  return {
    // The rebase drops approvals, so approvals of a stale request have no effect. An applied request cannot be rebased.
    ...(allows(approval, reviewed) ? { approve: decision(review ?? (status === 'applied' ? undefined : stale)) } : {}),
    ...(allows(approval, reviewed) && status !== 'applied'
      ? { approveAndApply: decision(review ?? stale ?? few) }
      : {}),
    // Authors cancel their own request instead.
    ...(allows('reject', reviewed) && !isOwn ? { reject: decision(publish) } : {}),
    ...(isApplicable
      ? { apply: decision(publishOrAuthor ?? stale ?? fewer), schedule: decision(publishOrAuthor ?? stale ?? fewer) }
      : {}),
    ...(allows('submit') ? { submit: decision(author) } : {}),
    ...(allows('rebase') && (isStale || (isOfProject && isOwn)) ? { rebase: decision(author) } : {}),
    ...(allows('cancel') ? { cancel: decision(publishOrAuthor) } : {}),
    ...(allows('apply in an emergency') &&
    (!isApplicable || fewer) &&
    mayPublish &&
    (allowPublisherBypass || allowEmergency)
      ? { bypass: { ...decision(stale), kind: allowPublisherBypass ? 'bypass' : 'emergency' } as const }
      : {})
  }
}

function decision(reason: string | undefined): Decision {
  return reason === undefined ? {} : { reason }
}
