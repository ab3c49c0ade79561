import { useParams } from '@tanstack/react-router'
import { Badge } from '../components/Badge.tsx'
import { useWaitingCount, useWaitingReviews } from '../components/feature/useWaitingReviews.ts'

/**
 * The number of change requests of the project that the person can review, and after a plus sign that of the other
 * projects. Renders nothing if there are none.
 */
export function InboxCount() {
  const count = useWaitingCount(useParams({ strict: false }).project)
  const elsewhere = useWaitingReviews().reduce((sum, project) => sum + project.count, -count)
  if (count + elsewhere === 0) return null
  return (
    <Badge tone="waiting">
      {count > 0 && (
        <>
          {count}
          <span className="visually-hidden"> waiting for you</span>
        </>
      )}
      {elsewhere > 0 && (
        <>
          <span aria-hidden="true">+{elsewhere}</span>
          <span className="visually-hidden">
            {count > 0 && ','} {elsewhere} in other projects
          </span>
        </>
      )}
    </Badge>
  )
}
