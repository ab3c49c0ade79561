import type { WaitingReviews } from '@burgee/contract/schemas'
import { useRead } from '../../api/query.ts'

/** How often the counts are read again, in milliseconds: the stream of changes follows one project only. */
const REFRESH_MS = 60_000

/** How many change requests wait for the person, by project. */
export function useWaitingReviews(): readonly WaitingReviews[] {
  return useRead('countWaitingReviews', {}, { refetchInterval: () => REFRESH_MS }).data ?? []
}

/** How many change requests of a project wait for the person. */
export function useWaitingCount(project: string | undefined): number {
  return useWaitingReviews().find(({ project: { key, id } }) => key === project || id === project)?.count ?? 0
}
