import { breathe } from '../breathe.ts'
import type { UsersQuery } from './eventStore.ts'
import type { Home } from './home.ts'
import { inPeriods } from './inPeriods.ts'
import { UserSet } from './userSet.ts'

/** For how many different users variables were evaluated in each of the periods: one who came to several environments is one. */
export async function usersIn(home: Home, query: UsersQuery): Promise<readonly number[]> {
  const { span, indexOf } = inPeriods(query.periods)
  const sets = query.periods.map(() => new UserSet())
  for await (const day of home.days(span)) {
    // Nobody else is answered while a day is looked through.
    await breathe()
    for (const environment of query.environments) {
      for (const { hour, sdkType, users } of day.environments.get(environment)?.users ?? []) {
        if (query.sdkType === undefined || sdkType === query.sdkType) sets[indexOf(hour)]?.merge(users)
      }
    }
  }
  return sets.map(({ size }) => size)
}
