import { DistinctUsers } from '../../events/engine/distinctUsers.ts'
import { MIN_CONTAINED_LENGTH, replacePlatform } from '../../events/erasure/replaceId.ts'
import { replaceUserInEntry, type UserReplacement } from '../../events/erasure/replaceUser.ts'
import { formatEntryLine } from '../../events/files/entryLine.ts'
import type { Database } from '../connection/database.ts'
import { type EntryRow, readEntries, toEntry } from './readEntries.ts'
import { readUserSets } from './readUserSets.ts'
import { writeUserSets } from './writeUsers.ts'

/** Replaces a user in the entries of some days, in counts and in sets of users. Returns the number of events. */
export async function replaceUserInEvents(
  database: Database,
  days: readonly string[],
  replacement: UserReplacement
): Promise<number> {
  let count = 0
  for (const day of days) count += await replaceInEntries(database, day, replacement)
  await replaceInCounts(database, replacement)
  await replaceInUserSets(database, replacement)
  return count
}

async function replaceInEntries(database: Database, day: string, replacement: UserReplacement): Promise<number> {
  const { environments, user_id } = replacement
  const text = JSON.stringify(user_id)
  // Short ids are looked for as whole strings.
  const wanted = user_id.length >= MIN_CONTAINED_LENGTH ? text.slice(1, -1) : text
  let total = 0
  for await (const rows of readEntries(database, { day, environments, since: 0, texts: [wanted] })) {
    const changed: EntryRow[] = []
    for (const row of rows) {
      const entry = toEntry(row, day)
      const replaced = entry && replaceUserInEntry(entry, replacement)
      if (!replaced) continue
      total += replaced.count
      changed.push({ id: row.id, entry: formatEntryLine(replaced.entry) })
    }
    if (changed.length === 0) continue
    await database.write(
      `update burgee_event_entries as stored set entry = given.entry
      from unnest($2::bigint[], $3::text[]) as given (id, entry) where stored.day = $1 and stored.id = given.id`,
      [day, changed.map(({ id }) => id), changed.map(({ entry }) => entry)]
    )
  }
  return total
}

/** Replaces the id in platforms, and adds the counts to those of the new names. */
async function replaceInCounts(database: Database, replacement: UserReplacement): Promise<void> {
  const { environments, user_id } = replacement
  const rows = await database.read<{ platform: string }>(
    'select distinct platform from burgee_event_counts where environment = any($1) and strpos(platform, $2) > 0',
    [environments, user_id]
  )
  for (const { platform } of rows) {
    const renamed = replacePlatform(platform, replacement)
    if (renamed === platform) continue
    await database.write(
      `with removed as (
        delete from burgee_event_counts where environment = any($1) and platform = $2 returning *
      )
      insert into burgee_event_counts as known
      select environment, hour, feature, variable, variation, $3, sdk_type, count from removed order by 1, 2, 3, 4, 5, 7
      on conflict (environment, hour, feature, variable, variation, platform, sdk_type)
      do update set count = known.count + excluded.count`,
      [environments, platform, renamed]
    )
  }
}

async function replaceInUserSets(
  database: Database,
  { environments, user_id, replacement }: UserReplacement
): Promise<void> {
  const everything = { start: 0, end: Number.MAX_SAFE_INTEGER }
  for await (const { users, ...key } of readUserSets(database, environments, everything)) {
    if (!DistinctUsers.from(users).hasExactly(user_id)) continue
    await database.transaction(async (client) => {
      // Read again, since users may have been added.
      const { rows } = await client.query<{ users: string }>(
        'select users from burgee_event_users where environment = $1 and hour = $2 and sdk_type = $3 for update',
        [key.environment, key.hour, key.sdkType]
      )
      const set = DistinctUsers.from(rows[0]?.users ?? '')
      if (set.replace(user_id, replacement)) await writeUserSets(client, [{ ...key, users: set.toText() }])
    })
  }
}
