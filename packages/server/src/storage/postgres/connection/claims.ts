import type { Database } from './database.ts'

/** Claims an id for a time in milliseconds. Returns false if any server has claimed it before. */
export async function claim(database: Database, id: string, ms: number): Promise<boolean> {
  const rows = await database.write(
    `insert into burgee_claims (id, expires_at) values ($1, now() + $2 * interval '1 millisecond')
    on conflict (id) do nothing returning 1`,
    [id, ms]
  )
  return rows.length > 0
}

/** Deletes claims that have expired. An id is not claimed again, so they need not be deleted at once. */
export async function deleteOldClaims(database: Database): Promise<void> {
  await database.write('delete from burgee_claims where expires_at < now()')
}
