import type { TimeRange } from '../../events/eventStore.ts'
import type { Database } from '../connection/database.ts'
import type { UserSet } from './writeUsers.ts'

/** Reads the sets of users of some environments in the hours that start in a range, in batches. */
export async function* readUserSets(
  database: Database,
  environments: readonly string[],
  { start, end }: TimeRange
): AsyncGenerator<UserSet & { readonly users: string }, void> {
  let last: readonly [hour: number, environment: string, sdkType: string] = [start, '', '']
  while (true) {
    const rows = await database.read<UserSet & { readonly users: string }>(
      `select environment, hour, sdk_type as "sdkType", users from burgee_event_users
      where environment = any($1) and hour < $2 and (hour, environment, sdk_type) > ($3, $4, $5)
      order by hour, environment, sdk_type limit ${BATCH}`,
      [environments, end, ...last]
    )
    yield* rows
    const { hour, environment, sdkType } = rows.at(-1) ?? {}
    if (hour === undefined || environment === undefined || sdkType === undefined) return
    last = [hour, environment, sdkType]
  }
}

const BATCH = 500
