import { Badge, type Tone } from '../../../parts/Badge.tsx'
import { type RequestStatus, requestStatusWords } from '../inboxSearch.ts'

const tones: Readonly<Record<RequestStatus, Tone>> = {
  draft: 'off',
  pending: 'waiting',
  approved: 'live',
  applied: 'off',
  rejected: 'danger',
  cancelled: 'off'
}

/** The status of a change request. */
export function StatusBadge({ status }: { readonly status: RequestStatus }) {
  return <Badge tone={tones[status]}>{requestStatusWords[status]}</Badge>
}
