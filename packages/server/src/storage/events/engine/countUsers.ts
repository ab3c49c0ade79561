import { yieldToEventLoop } from '../../../lib/time.ts'
import type { UsersQuery } from '../eventStore.ts'
import { DistinctUsers } from './distinctUsers.ts'
import type { DaySummaries } from './eventStorage.ts'
import { createPeriodIndex } from './periodIndex.ts'

/** Returns the number of distinct users in each period, across environments. */
export async function countUsers(storage: DaySummaries, query: UsersQuery): Promise<readonly number[]> {
  const { span, indexOf } = createPeriodIndex(query.periods)
  const sets = query.periods.map(() => new DistinctUsers())
  for await (const day of storage.days(span)) {
    // Reading a day can take milliseconds, which block the event loop.
    await yieldToEventLoop()
    for (const environment of query.environments) {
      for (const { hour, sdkType, users } of day.environments.get(environment)?.users ?? []) {
        if (query.sdkType === undefined || sdkType === query.sdkType) sets[indexOf(hour)]?.merge(users)
      }
    }
  }
  return sets.map(({ size }) => size)
}
