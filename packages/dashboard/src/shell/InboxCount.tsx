import { useParams } from '@tanstack/react-router'
import { Badge } from '../parts/Badge.tsx'
import { useWaitingCount } from '../parts/feature/useWaitingReviews.ts'

/** The number of change requests of the project that the person can review. Renders nothing if there are none. */
export function InboxCount() {
  const count = useWaitingCount(useParams({ strict: false }).project)
  if (count === 0) return null
  return (
    <Badge tone="waiting">
      {count}
      <span className="visually-hidden"> waiting for you</span>
    </Badge>
  )
}
