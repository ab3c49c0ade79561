import { Badge } from '../parts/Badge.tsx'
import { useWaitingRequests } from '../parts/feature/useApprovals.ts'

/** The number of change requests that the person can review. Renders nothing if there are none. */
export function InboxCount({ project }: { readonly project: string }) {
  const { length } = useWaitingRequests(project)
  if (length === 0) return null
  return (
    <Badge tone="waiting">
      {length}
      <span className="visually-hidden"> waiting for you</span>
    </Badge>
  )
}
