import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '../../../lib/reasonOf.ts'
import type { Database } from './database.ts'
import { hasSqlState } from './databaseErrors.ts'

/**
 * Returns a function that asserts that the database can commit a change that needs more disk space: on a full disk,
 * small changes still fit into existing pages. Concurrent calls share the result.
 */
export function createWriteProof(database: Database): () => Promise<void> {
  let proving: Promise<void> | undefined
  const prove = async (): Promise<void> => {
    const table = `burgee_proof_${randomBytes(8).toString('hex')}`
    const count = await database.transaction(async (client) => {
      // Fails without the tables of the store.
      const { rowCount } = await client.query(
        `create table ${table} as select repeat('x', 1000) as filler from burgee_locks, generate_series(1, ${ROWS})
        where name = 'flags'`
      )
      await client.query(`drop table ${table}`)
      return rowCount
    })
    if (!count) throw new Error('it is being restored')
  }
  return async () => {
    proving ??= prove().finally(() => {
      proving = undefined
    })
    await within(PROOF_MS, proving).catch((cause) => {
      if (!hasSqlState(cause, '42501')) throw cause
      throw new Error(`its user may not create tables: ${reasonOf(cause)}`, { cause })
    })
  }
}

/** @throws when a promise takes too long. */
async function within(ms: number, promise: Promise<void>): Promise<void> {
  const ended = new AbortController()
  const late = sleep(ms, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new Error('it did not commit a change in time')
  })
  late.catch(() => {})
  try {
    await Promise.race([promise, late])
  } finally {
    ended.abort()
    promise.catch(() => {})
  }
}

/** A hundred kilobytes, more than the free space in existing pages. */
const ROWS = 100

/** How long a change may take, in milliseconds. */
const PROOF_MS = 5_000
