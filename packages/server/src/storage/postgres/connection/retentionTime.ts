import type { Database } from './database.ts'

/**
 * Returns the time by which entries expire, in epoch milliseconds: the earlier of the clocks of the server and the
 * database. A server whose clock is ahead would delete what other servers still keep.
 */
export async function readRetentionTime(database: Pick<Database, 'read'>, now: () => number): Promise<number> {
  const [row] = await database.read<{ ms: number }>(
    'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms'
  )
  return Math.min(now(), row?.ms ?? 0)
}
