import { storeOpenError } from '../../storeOpenError.ts'
import type { Database } from './database.ts'
import { hasSqlState } from './databaseErrors.ts'

/**
 * Waits until no other server or command that opened the store is starting, since each first start creates an
 * organization and keys if there are none. Resolves with the function that lets the next one start.
 */
export async function lockStart(database: Database): Promise<() => Promise<void>> {
  const client = await database.begin()
  let isReleased = false
  const release = async () => {
    if (isReleased) return
    isReleased = true
    const isIntact = await client.query('rollback').then(
      () => true,
      () => false
    )
    database.release(client, { isIntact })
  }
  try {
    await client.query(
      "set local statement_timeout = 0; set local lock_timeout = '60s'; set local idle_in_transaction_session_timeout = 0"
    )
    await client.query("select 1 from burgee_locks where name = 'start' for update")
    return release
  } catch (error) {
    await release()
    if (!hasSqlState(error, '55P03')) throw error
    throw storeOpenError(database.name, 'is being opened by another server or command', 'try again', error)
  }
}
