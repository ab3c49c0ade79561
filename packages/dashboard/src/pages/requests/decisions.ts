import { missingPermission } from '../../parts/access/permissionWords.ts'
import { approversOf } from '../../parts/feature/approvers.ts'
import type { AnyRequest } from './useRequestActions.ts'

/** What the possible actions of a person on a request depend on. */
export interface ReviewContext {
  readonly person: string
  readonly mayPublish: boolean
  readonly mayWrite: boolean
  /** Whether the feature has changed since the request was made. */
  readonly isStale: boolean
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
  const { person, mayPublish, mayWrite, isStale, isOfProject = false } = context
  const { requiredApprovals, allowPublisherBypass, allowEmergency } = context
  const { status, _createdBy } = request
  const isOwn = _createdBy === person
  const isOpen = status === 'draft' || status === 'pending' || status === 'approved'
  const approvals = approversOf(request)
  const publish = mayPublish ? undefined : missingPermission('feature:publish')
  const review =
    publish ??
    (isOwn && !allowPublisherBypass ? 'it is your own request: another person has to approve it' : undefined) ??
    (approvals.has(person) ? 'you have approved it' : undefined)
  const missing = missingApprovals(request, requiredApprovals)
  const stale = isStale ? 'the feature has changed since: the author has to rebase the request first' : undefined
  const few = missing > 1 ? `needs ${missing} approvals` : undefined
  const author = isOwn ? undefined : 'only its author can do this'
  const publishOrAuthor = isOwn && mayWrite ? undefined : publish
  return {
    ...(status === 'pending'
      ? {
          // The rebase drops approvals, so those of a stale request are worth nothing.
          approve: decision(review ?? stale),
          approveAndApply: decision(review ?? stale ?? few),
          // Authors cancel their own request instead.
          ...(isOwn ? {} : { reject: decision(publish) })
        }
      : {}),
    ...(status === 'approved'
      ? { apply: decision(publishOrAuthor ?? stale), schedule: decision(publishOrAuthor ?? stale) }
      : {}),
    ...(status === 'draft' ? { submit: decision(author) } : {}),
    ...(isOpen && (isStale || (isOfProject && isOwn)) ? { rebase: decision(author) } : {}),
    ...(isOpen ? { cancel: decision(publishOrAuthor) } : {}),
    ...(isOpen && status !== 'approved' && mayPublish && (allowPublisherBypass || allowEmergency)
      ? { bypass: { ...decision(stale), kind: allowPublisherBypass ? 'bypass' : 'emergency' } as const }
      : {})
  }
}

/** How many more people must approve a request. */
export function missingApprovals(request: Parameters<typeof approversOf>[0], requiredApprovals: number): number {
  return Math.max(0, requiredApprovals - approversOf(request).size)
}

function decision(reason: string | undefined): Decision {
  return reason === undefined ? {} : { reason }
}
