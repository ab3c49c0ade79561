import { yieldToEventLoop } from '../../../lib/time.ts'
import type { UsersQuery } from '../eventStore.ts'
import { DistinctUsers } from './distinctUsers.ts'
import type { EventStorage } from './eventStorage.ts'
import { createPeriodIndex } from './periodIndex.ts'

/** For how many different users variables were evaluated in each of the periods: one who came to several environments is one. */
export async function countUsers(home: EventStorage, query: UsersQuery): Promise<readonly number[]> {
  const { span, indexOf } = createPeriodIndex(query.periods)
  const sets = query.periods.map(() => new DistinctUsers())
  for await (const day of home.days(span)) {
    // Nobody else is answered while a day is looked through.
    await yieldToEventLoop()
    for (const environment of query.environments) {
      for (const { hour, sdkType, users } of day.environments.get(environment)?.users ?? []) {
        if (query.sdkType === undefined || sdkType === query.sdkType) sets[indexOf(hour)]?.merge(users)
      }
    }
  }
  return sets.map(({ size }) => size)
}
