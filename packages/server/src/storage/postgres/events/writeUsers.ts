import type { PoolClient } from 'pg'
import { DistinctUsers } from '../../events/engine/distinctUsers.ts'
import type { EventEntry } from '../../events/eventEntry.ts'
import { utcHourStart } from '../../events/utcDay.ts'

/** Adds the users of exposures to the sets of distinct users. */
export async function addUsers(client: PoolClient, entries: readonly EventEntry[]): Promise<void> {
  const added = new Map<string, UserSet & { readonly users: DistinctUsers }>()
  for (const { environment, at, exposures } of entries) {
    const hour = utcHourStart(at)
    for (const { user_id, sdkType } of exposures) {
      const name = [environment, hour, sdkType].join('\0')
      const set = added.get(name) ?? { environment, hour, sdkType, users: new DistinctUsers() }
      added.set(name, set)
      set.users.add(user_id)
    }
  }
  if (added.size === 0) return
  const sets = [...added.values()]
  const keys = [sets.map((set) => set.environment), sets.map(({ hour }) => hour), sets.map(({ sdkType }) => sdkType)]
  // Rows must exist to be locked: two servers that both add the first user of an hour would lose one.
  await client.query(
    `insert into burgee_event_users (environment, hour, sdk_type, users)
    select environment, hour, sdk_type, '' from ${KEYS} order by 1, 2, 3 on conflict do nothing`,
    keys
  )
  const { rows } = await client.query<UserSet & { readonly users: string }>(
    `select environment, hour, sdk_type as "sdkType", users from burgee_event_users
    where (environment, hour, sdk_type) in (select * from ${KEYS}) order by 1, 2, 3 for update`,
    keys
  )
  const changed = rows.flatMap(({ users: before, ...row }) => {
    const set = DistinctUsers.from(before)
    const more = added.get([row.environment, row.hour, row.sdkType].join('\0'))
    if (more) set.merge(more.users)
    const users = set.toText()
    return users === before ? [] : [{ ...row, users }]
  })
  await writeUserSets(client, changed)
}

/** Replaces sets of users that the transaction has locked. */
export async function writeUserSets(
  client: PoolClient,
  sets: readonly (UserSet & { readonly users: string })[]
): Promise<void> {
  if (sets.length === 0) return
  await client.query(
    `update burgee_event_users as stored set users = given.users
    from unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) as given (environment, hour, sdk_type, users)
    where stored.environment = given.environment and stored.hour = given.hour and stored.sdk_type = given.sdk_type`,
    [
      sets.map(({ environment }) => environment),
      sets.map(({ hour }) => hour),
      sets.map(({ sdkType }) => sdkType),
      sets.map(({ users }) => users)
    ]
  )
}

/** The key of a set of users. */
export interface UserSet {
  readonly environment: string
  readonly hour: number
  readonly sdkType: string
}

const KEYS = 'unnest($1::text[], $2::bigint[], $3::text[]) as given (environment, hour, sdk_type)'
