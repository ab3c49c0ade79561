import { Badge } from '../parts/Badge.tsx'
import { useWaitingReviews } from '../parts/feature/useWaitingReviews.ts'

/** The number of change requests, of all projects, that the person can review. Renders nothing if there are none. */
export function InboxCount() {
  const total = useWaitingReviews().reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  return (
    <Badge tone="waiting">
      {total}
      <span className="visually-hidden"> waiting for you</span>
    </Badge>
  )
}
