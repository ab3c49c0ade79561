import { countEvaluations } from './countEvaluations.ts'
import { countUsers } from './countUsers.ts'
import type { DaySummaries, EventCounts } from './eventStorage.ts'
import { findLastEvaluated } from './findLastEvaluated.ts'

/** Returns the counts of a storage that keeps a summary for each day. */
export function countByDay(storage: DaySummaries): EventCounts {
  return {
    evaluations: (query) => countEvaluations(storage, query),
    users: (query) => countUsers(storage, query),
    lastEvaluated: (query) => findLastEvaluated(storage, query)
  }
}
