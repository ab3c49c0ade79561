import { Badge, type Tone } from '../../../components/Badge.tsx'
import { isInReview } from '../../../components/feature/approvers.ts'
import { useRequiredApprovals } from '../../../components/feature/useApprovals.ts'
import { type RequestStatus, requestStatusWords } from '../inboxSearch.ts'
import type { AnyRequest } from '../useRequestActions.ts'

const tones: Readonly<Record<RequestStatus, Tone>> = {
  draft: 'off',
  pending: 'waiting',
  approved: 'live',
  applied: 'off',
  rejected: 'danger',
  cancelled: 'off'
}

/**
 * The status of a change request: "scheduled" for an approved one that the server will apply, "waiting" for one that was
 * approved before the project required more approvals.
 */
export function StatusBadge({ project, request }: { readonly project: string; readonly request: AnyRequest }) {
  const required = useRequiredApprovals(project)
  const status = isInReview(request, required) ? 'pending' : request.status
  const isScheduled = status === 'approved' && request.applyAt !== undefined
  return <Badge tone={tones[status]}>{isScheduled ? 'scheduled' : requestStatusWords[status]}</Badge>
}
