import { randomUUID } from 'node:crypto'
import { every } from '@burgee/kit'
import type { Database } from './database.ts'

/** Starts work, and returns the function that ends it. */
export type StartWork = () => Promise<() => Promise<void>>

/**
 * Does work on one server at a time: the one that holds the lease of this name. The lease is renewed every few seconds,
 * and taken over by another server when it has expired. Resolves after the first attempt to get it, with the function
 * that ends the work and releases the lease.
 */
export async function runExclusively(database: Database, name: string, start: StartWork): Promise<() => Promise<void>> {
  const holder = randomUUID()
  let stop: (() => Promise<void>) | undefined
  /** The end of the lease, in monotonic milliseconds. */
  let heldUntil = Number.NEGATIVE_INFINITY

  const end = async () => {
    const ending = stop
    stop = undefined
    await ending?.()
  }
  const renew = async () => {
    const asked = database.now()
    const rows = await database.write(
      `insert into burgee_leases as lease (name, holder, expires_at)
      values ($1, $2, now() + interval '${LEASE_MS} milliseconds') on conflict (name)
      do update set holder = excluded.holder, expires_at = excluded.expires_at
      where lease.holder = excluded.holder or lease.expires_at < now() returning 1`,
      [name, holder]
    )
    if (rows.length === 0) return end()
    // Counted from before the request, so that it ends before the database lets another server take it over.
    heldUntil = asked + LEASE_MS - MARGIN_MS
    stop ??= await start()
  }
  const onError = () => {
    if (database.now() > heldUntil) void end()
  }
  await renew().catch(onError)
  const job = every(RENEW_MS, renew, { onError })
  return async () => {
    await job.stop()
    await end()
    // If the database is unavailable, the lease expires.
    await database.write('delete from burgee_leases where name = $1 and holder = $2', [name, holder]).catch(() => {})
  }
}

const LEASE_MS = 15_000

const RENEW_MS = 3_000

/** Work ends this long before its lease. */
const MARGIN_MS = 3_000
