import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { every } from '@burgee/kit'
import type { Client } from 'pg'
import { type Database, describeCause } from './database.ts'
import { SilentDatabaseError } from './databaseErrors.ts'

/** Whether the database accepts writes. */
export interface HealthCheck {
  readonly isWritable: () => boolean
  /** Records that a statement failed because the database is not available. */
  readonly noteFailure: (error: unknown) => void
  readonly stop: () => Promise<void>
}

/**
 * Asks the database every two seconds whether it accepts writes, and reports when that changes. While it does not answer
 * at all, no other statement waits for it.
 */
export function startHealthCheck(database: Database, onNotice: (message: string) => void): HealthCheck {
  const probe = createProbe(database)
  let isWritable = true
  let isStopped = false
  const noteFailure = (error: unknown) => {
    if (isWritable && !isStopped) onNotice(`the database ${database.name} cannot be written: ${describeCause(error)}`)
    isWritable = false
  }
  const check = async () => {
    const isStandby = await probe.askStandby().catch((error) => {
      database.setSilent(error instanceof SilentDatabaseError)
      throw error
    })
    database.setSilent(false)
    if (isStandby) return noteFailure(new Error('it is a standby, or read-only'))
    if (!isWritable) onNotice(`the database ${database.name} can be written again`)
    isWritable = true
  }
  const job = every(CHECK_MS, check, { onError: noteFailure, retryMs: RETRY_MS })
  return {
    isWritable: () => isWritable,
    noteFailure,
    stop: async () => {
      isStopped = true
      probe.close()
      await job.stop()
      probe.close()
    }
  }
}

/** Asks the database on a connection of its own: a free one of the pool may be long in coming. */
function createProbe(database: Database) {
  let client: Client | undefined
  const close = () => {
    // A statement in progress ends the connection at once.
    void client?.end().catch(() => {})
    client = undefined
  }
  const open = async (): Promise<Client> => {
    const opened = database.createProbe()
    client = opened
    opened.on('error', () => {})
    opened.once('end', () => {
      if (client === opened) client = undefined
    })
    await opened.connect()
    return opened
  }
  const ask = async (connected: Client | undefined): Promise<boolean> => {
    const { rows } = await (connected ?? (await open())).query(IS_STANDBY)
    return rows[0]?.standby !== false
  }
  return {
    /** @throws {SilentDatabaseError} when the database does not answer. */
    askStandby: async (): Promise<boolean> => {
      const known = client
      // The connection may have ended unnoticed.
      const answer = ask(known).catch((error) => {
        if (!known) throw error
        close()
        return ask(undefined)
      })
      const late = new AbortController()
      try {
        return await Promise.race([answer, silenceAfter(ANSWER_MS, late.signal)])
      } catch (error) {
        close()
        throw error
      } finally {
        late.abort()
        answer.catch(() => {})
      }
    },
    close
  }
}

/** @throws {SilentDatabaseError} after a time, unless it is aborted. */
async function silenceAfter(ms: number, signal: AbortSignal): Promise<never> {
  await sleep(ms, undefined, { signal, ref: false })
  // The answer may have arrived while this process was busy or suspended.
  await nextTurn()
  throw new SilentDatabaseError()
}

const IS_STANDBY = `
  select pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as standby`

const CHECK_MS = 2_000

/** How soon the database is asked again after a failure. */
const RETRY_MS = 500

/** The time after which a database that has not answered is considered unavailable. */
const ANSWER_MS = 5_000
